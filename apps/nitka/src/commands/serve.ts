import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { createDesk } from "@nitka/desk";
import { createChatServer } from "@nitka/server";
import type { ClosePatience, Log } from "@nitka/server";
import { createHandler, createOpsHandler } from "../create-handler.ts";
import { listen } from "../listen.ts";
import type { Listening } from "../listen.ts";
import { fullPageProject, shopProject } from "../default-projects.ts";
import { createLog, logLines } from "../log.ts";
import { defaultModelId, describeModel } from "../models.ts";
import { describeStorage, openStorage } from "../open-storage.ts";
import { createDeskPages, createPages } from "../pages.ts";
import type { Pages } from "../pages.ts";
import { createServedProjects } from "../served-projects.ts";
import { createServedKnowledge } from "../knowledge/served-knowledge.ts";
import type { ServedKnowledge } from "../knowledge/served-knowledge.ts";
import { readSecret } from "../read-secret.ts";
import { misspelledSettings } from "../read-env.ts";
import { readSettings, secretsOf } from "../read-settings.ts";
import type { Settings } from "../read-settings.ts";
import { createWidgetFiles, isWidgetBuilt, widgetFolder } from "../serve-widget.ts";
import type { StopSignal, ProgramContext } from "../program-context.ts";

/** How long closing may take after the drain and the grace period, in milliseconds. Then the process exits anyway. */
const CLOSE_LIMIT_MS = 5_000;

/** A person waits at the terminal: no drain, and only enough grace for an answer that is nearly finished. */
const INTERRUPT: ClosePatience = { drainMs: 0, graceMs: 1_500 };

/** `nitka`: serves until a signal stops it. A second signal ends it at once, with the exit code of that signal. */
export async function serve({ env, stdout, stderr, clock, onSignal, onReload }: ProgramContext): Promise<number> {
  const settings = readSettings(env);
  const secrets = [...secretsOf(settings)];
  const log = createLog(settings.env.LOG_LEVEL, stderr.isTTY ? logLines(stderr) : stderr, secrets);
  for (const sentence of misspelledSettings(env)) log.warn({}, sentence);
  const read = () => {
    const next = readSettings(env);
    secrets.push(...secretsOf(next).filter((secret) => !secrets.includes(secret)));
    return next;
  };
  const [first, second] = [Promise.withResolvers<StopSignal>(), Promise.withResolvers<StopSignal>()];
  let signals = 0;
  onSignal((signal) => {
    signals += 1;
    (signals === 1 ? first : second).resolve(signal);
  });
  // Registered early, because without a listener the signal would end the process.
  const started = Promise.withResolvers<Running>();
  onReload(() => void started.promise.then(({ reload }) => reload()));
  const running = await start(settings, log, read, createServedKnowledge({ settings, env, log, clock }));
  started.resolve(running);
  stdout.write(welcome(settings, running));
  const signal = await first.promise;
  const patience = signal === "SIGTERM" ? patienceOf(settings) : INTERRUPT;
  log.info({ signal, ...patience }, "stopping");
  const limitMs = Math.max(patience.drainMs, patience.graceMs) + CLOSE_LIMIT_MS;
  const stopped = Promise.race([running.stop(patience), sleep(limitMs, undefined, { ref: false })]).then(() => 0);
  return Promise.race([stopped, second.promise.then((secondSignal) => 128 + constants.signals[secondSignal])]);
}

function patienceOf({ env }: Settings): ClosePatience {
  return { drainMs: env.NITKA_DRAIN_SECONDS * 1000, graceMs: env.NITKA_GRACE_SECONDS * 1000 };
}

interface Running {
  readonly url: string;
  readonly opsUrl: string | undefined;
  /** Reloads the config file. */
  readonly reload: () => void;
  readonly stop: (patience: ClosePatience) => Promise<void>;
}

async function start(settings: Settings, log: Log, read: () => Settings, knowledge: ServedKnowledge): Promise<Running> {
  const { env } = settings;
  const instanceId = randomUUID();
  const secret = readSecret(env.NITKA_SECRET, settings.dataFolder);
  const storage = await openStorage(settings, instanceId, log);
  const projects = createServedProjects({ settings, read, log, knowledgeOf: knowledge.of });
  const chat = createChatServer({
    storage,
    projects: projects.current,
    secret,
    instanceId,
    log,
    maxRuns: env.NITKA_MAX_RUNS,
    maxBufferedBytes: env.NITKA_MAX_BUFFERED_BYTES,
    trustedProxies: env.NITKA_TRUSTED_PROXIES,
    archiveDays: env.NITKA_ARCHIVE_DAYS,
    ...(env.NITKA_RETENTION_DAYS === undefined ? {} : { retentionDays: env.NITKA_RETENTION_DAYS }),
  });
  const folder = widgetFolder();
  if (!isWidgetBuilt(folder)) log.warn({ folder }, "the widget is not built: run `npm run build`");
  const opsApart = env.NITKA_OPS_PORT !== undefined;
  const widget = createWidgetFiles(folder);
  let files = settings.projects;
  const { NITKA_DESK_KEY: key, NITKA_DESK_KEYS: operators } = env;
  const api = !hasDesk(settings)
    ? undefined
    : createDesk({
        storage,
        projects: projects.current,
        ...(key === undefined ? {} : { key }),
        ...(operators === undefined ? {} : { operators }),
        log,
        trustedProxies: env.NITKA_TRUSTED_PROXIES,
        readKnowledge: async () => knowledge.states(files),
      });
  if (opsApart && !api) log.info({}, "there is no desk: neither NITKA_DESK_KEYS nor NITKA_DESK_KEY is set");
  const desk = api && { api, pages: createDeskPages(), widget };
  let pages = pagesOf(settings);
  const handler = createHandler({ chat, widget, pages: () => pages, log, opsApart });
  let isClosing = false;
  const listenerOf = (handle: typeof handler): RequestListener => {
    const answer = getRequestListener(handle);
    return (incoming, outgoing) => {
      // A proxy must not reuse a connection of a process that is about to exit.
      if (isClosing) outgoing.setHeader("connection", "close");
      void answer(incoming, outgoing);
    };
  };
  let ops: Listening | undefined;
  try {
    await projects.listTools();
    ops = opsApart
      ? await listen(
          listenerOf(createOpsHandler({ chat, desk, log })),
          env.NITKA_OPS_HOST,
          env.NITKA_OPS_PORT ?? 0,
          undefined,
          { host: "NITKA_OPS_HOST", port: "NITKA_OPS_PORT" },
        )
      : undefined;
    const listening = await listen(listenerOf(handler), env.HOST, env.PORT);
    log.info({ url: listening.url, opsUrl: ops?.url, instanceId }, "listening");
    knowledge.startReadings(() => files);
    return {
      url: listening.url,
      opsUrl: ops?.url,
      reload: () =>
        void projects.replace((next, replaced) => {
          const nextPages = pagesOf(next);
          chat.replaceProjects(replaced);
          pages = nextPages;
          files = next.projects;
        }),
      stop: async (patience) => {
        isClosing = true;
        const closed = chat.close(patience);
        await sleep(patience.drainMs);
        listening.stopAccepting();
        await closed;
        await knowledge.stop();
        // Not awaited: an MCP server that hangs must not delay the exit.
        void projects.close();
        for (const each of [listening, ops]) each?.closeAll();
        await storage.close();
      },
    };
  } catch (error) {
    ops?.stopAccepting();
    await chat.close({ graceMs: 0 });
    await knowledge.stop();
    void projects.close();
    await storage.close();
    throw error;
  }
}

/** Whether any operator can sign in. */
function hasDesk({ env }: Settings): boolean {
  return env.NITKA_DESK_KEY !== undefined || env.NITKA_DESK_KEYS !== undefined;
}

/** The full page and the demo pages, unless they are switched off. */
function pagesOf({ env, projects }: Settings): Pages | undefined {
  if (env.NITKA_PAGES === "off") return undefined;
  const projectId = fullPageProject(projects);
  const { title = "Nitka", imageHosts = [] } = projects[projectId] ?? {};
  return createPages({ projectId, shopProjectId: shopProject(projects), title, imageHosts });
}

function welcome(settings: Settings, { url, opsUrl }: Running): string {
  const { env, projects } = settings;
  const models = new Set(
    Object.values(projects).flatMap(
      ({ models: each, model }) => each?.map(({ id }) => id) ?? [model ?? defaultModelId(settings)],
    ),
  );
  const lines = [
    `Nitka is at ${url}`,
    "",
    ...(env.NITKA_PAGES === "off"
      ? [`  Script    ${url}/widget/nitka.js`]
      : [
          `  Chat      ${url}/`,
          `  Demo      ${url}/demo/launcher: a shop whose assistant sees the page and fills the basket`,
        ]),
    `  Model     ${[...models].map((id) => describeModel(id, settings)).join(", ")}`,
    `  Storage   ${describeStorage(settings)}`,
    ...(opsUrl === undefined ? [] : [`  Metrics   ${opsUrl}/metrics`]),
    ...(opsUrl === undefined || !hasDesk(settings) ? [] : [`  Desk      ${opsUrl}/desk`]),
    ...(env.DATABASE_URL !== undefined && env.NITKA_SECRET === undefined
      ? [
          "",
          "  Several instances on one Postgres need the same NITKA_SECRET; without it each recognises only its own visitors.",
        ]
      : []),
    "",
    "  Ctrl+C stops it.",
    "",
  ];
  return `${lines.join("\n")}\n`;
}
