/** One process of the server in a life: it starts, serves, and dies without notice or is closed. */
import { createChatServer } from "@nitka/server";
import type { ChatServer, FileStore, Model, Project, Timings } from "@nitka/server";
import { createMcpTools } from "@nitka/server/mcp";
import { observeStorage } from "./observed-storage.ts";
import type { ObservedStorage, ObservedStorageOptions } from "./observed-storage.ts";
import type { Place } from "./place.ts";
import type { ScriptedUpstream } from "./scripted-upstream.ts";

const SECRET = "a secret of these lives alone";
export const HOST_SECRET = "a secret of the host of lives";

/** Delays of at most a tenth of a server's own. Their proportions stay. */
export const timings = {
  pingMs: 500,
  writeMs: 2,
  checkpointMs: 150,
  heartbeatMs: 300,
  staleMs: 1_500,
  slowReaderMs: 2_000,
  titleBeforeFinishMs: 30,
  titleMs: 300,
  followUpsMs: 300,
  graceMs: 50,
  sweepMs: 1_000,
  restoreMs: 1_000,
} satisfies Partial<Timings>;

export interface LogLine {
  readonly level: "warn" | "error";
  readonly line: string;
}

export interface Instance {
  readonly name: string;
  readonly isAlive: () => boolean;
  readonly storage: ObservedStorage;
  readonly log: readonly LogLine[];
  /** The instance's network: it rejects if the instance is dead, and streams break when it dies. */
  fetch(request: Request): Promise<Response>;
  /** The values of these metrics. */
  gauges(names: readonly string[]): Promise<Readonly<Record<string, number>>>;
  /** Kills the instance: nothing that it does from now on reaches the database, a reader or a tool. */
  kill(): Promise<void>;
  /** Stops the instance, like a release. */
  close(): Promise<void>;
  /** Resolves when nothing of the instance is left in memory. */
  readonly gone: Promise<void>;
}

export interface InstanceOptions extends Pick<ObservedStorageOptions, "faultOf" | "wrong"> {
  readonly name: string;
  readonly place: Place;
  readonly files: (store: FileStore) => FileStore;
  readonly upstream: ScriptedUpstream;
  readonly mcpUrl: string;
  readonly projects: Readonly<Record<string, Omit<Project, "models">>>;
  /** @param died resolves when its connections to the database are closed */
  readonly onDeath: (died: Promise<void>) => void;
}

export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const { name, place, upstream, mcpUrl, projects, faultOf, wrong, files } = options;
  const log: LogLine[] = [];
  const real = await place.open(name, files);
  const died = Promise.withResolvers<never>();
  died.promise.catch(() => undefined);
  let isAlive = true;
  let isOpen = true;
  const requests = new Set<Promise<unknown>>();
  let ending: Promise<void> | undefined;
  const breaks = new Set<() => void>();
  const gone = Promise.withResolvers<void>();

  const observed = observeStorage({
    storage: real,
    instance: name,
    faultOf,
    wrong,
    onDeath: () => void kill(),
  });
  const mcp = createMcpTools({
    servers: { lives: { type: "http", url: mcpUrl } },
    onError: () => undefined,
    connectTimeoutMs: 1_000,
  });
  const model = mortal(upstream.modelOf({ instance: name, openTools: mcp.open, knownTools: mcp.names }), () => isAlive);
  const note = (level: LogLine["level"]) => (fields: object, text: string) => {
    if (isAlive) log.push({ level, line: `${text} ${JSON.stringify(fields)}` });
  };
  const server: ChatServer = createChatServer({
    storage: observed.storage,
    instanceId: name,
    projects: Object.fromEntries(
      Object.entries(projects).map(([id, project]) => [id, { ...project, models: [model] }]),
    ),
    secret: SECRET,
    timings,
    clientAddress: () => name,
    log: { info: () => undefined, warn: note("warn"), error: note("error") },
  });

  async function end(): Promise<void> {
    await server.close({ drainMs: 0, graceMs: isAlive ? timings.graceMs : 0 });
    isOpen = false;
    await Promise.allSettled(requests);
    // A parked run does not wait for a file that it was writing. The file is stored or dropped later.
    await observed.settled();
    observed.expectSilence();
    await mcp.close();
    gone.resolve();
  }

  function kill(): Promise<void> {
    if (ending) return ending;
    isAlive = false;
    observed.kill();
    died.reject(new TypeError("fetch failed"));
    for (const cut of breaks) cut();
    ending = (async () => {
      await observed.settled();
      await real.close();
    })();
    options.onDeath(ending);
    // The rest of the process in memory. Nothing waits for it, because it cannot do anything any more.
    void end();
    return ending;
  }

  return {
    name,
    isAlive: () => isAlive,
    storage: observed,
    log,
    gone: gone.promise,
    async fetch(request) {
      if (!isAlive || !isOpen) throw new TypeError("fetch failed");
      const responding = server.fetch(request);
      requests.add(responding);
      const response = await Promise.race([responding, died.promise]).finally(() => requests.delete(responding));
      const { body } = response;
      return body === null ? response : new Response(breakable(body, breaks), response);
    },
    async gauges(names) {
      const page = await (await server.fetch(new Request("http://lives.test/metrics"))).text();
      return Object.fromEntries(
        names.map((gauge) => [gauge, Number(new RegExp(`^${gauge} (.*)$`, "m").exec(page)?.[1])]),
      );
    },
    kill,
    close: () =>
      (ending ??= (async () => {
        await end();
        isAlive = false;
        await real.close();
      })()),
  };
}

/** A model that a dead process reads no further. */
function mortal(model: Model, isAlive: () => boolean): Model {
  return {
    ...model,
    async *run(request) {
      const events = model.run(request);
      try {
        for (;;) {
          const next = await events.next();
          if (next.done || !isAlive()) return next.done ? next.value : {};
          yield next.value;
        }
      } finally {
        await events.return({});
      }
    },
  };
}

/** A body that breaks when the instance dies. */
function breakable(body: ReadableStream<Uint8Array>, breaks: Set<() => void>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let cut: () => void = () => undefined;
  return new ReadableStream({
    start(controller) {
      cut = () => {
        breaks.delete(cut);
        controller.error(new TypeError("terminated"));
        reader.cancel().catch(() => undefined);
      };
      breaks.add(cut);
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!breaks.has(cut)) return;
        if (!done) return controller.enqueue(value);
        breaks.delete(cut);
        controller.close();
      } catch (error) {
        if (breaks.delete(cut)) controller.error(error);
      }
    },
    cancel() {
      breaks.delete(cut);
      return reader.cancel();
    },
  });
}
