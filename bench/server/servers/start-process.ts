/** Child processes of a benchmark, and remote procedure calls to them over IPC. */
import { fork } from "node:child_process";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

/** A child process whose handlers can be called. */
export interface Process {
  call<T>(name: string, ...values: readonly unknown[]): Promise<T>;
  stop(): Promise<void>;
}

interface Call {
  readonly id: number;
  readonly name: string;
  readonly values: readonly unknown[];
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** The semi-space size is that of `npm start`. */
const nodeFlags = ["--expose-gc", "--max-semi-space-size=32"];

/** Starts a script as a child process, with `settings` as additional environment variables. */
export function startProcess(script: URL, settings: Readonly<Record<string, string>> = {}): Process {
  const child = fork(fileURLToPath(script), [], { execArgv: nodeFlags, env: { ...process.env, ...settings } });
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const ended = new Promise<void>((resolve) => {
    child.once("exit", (code, signal) => {
      for (const { reject } of waiting.values()) reject(new Error(`${script.pathname} ended with ${signal ?? code}`));
      waiting.clear();
      resolve();
    });
  });
  child.on("message", ({ id, value, error }: Reply) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(value);
    else call?.reject(new Error(error));
  });
  let calls = 0;
  return {
    call: <T>(name: string, ...values: readonly unknown[]) =>
      new Promise<T>((resolve, reject) => {
        calls += 1;
        waiting.set(calls, { resolve: (value) => resolve(value as T), reject });
        child.send({ id: calls, name, values } satisfies Call);
      }),
    stop: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

type Handler = (...values: readonly never[]) => unknown;

/** In a child process: serves the calls of the parent, including those for CPU, memory and event loop figures. */
export function answerCalls(handlers: Readonly<Record<string, Handler>>): void {
  const all: Readonly<Record<string, Handler>> = { ...figures, ...handlers };
  process.on("message", ({ id, name, values }: Call) => {
    void (async () => {
      try {
        const handler = all[name];
        if (!handler) throw new Error(`There is no call ${name}`);
        const value: unknown = await handler(...(values as readonly never[]));
        process.send?.({ id, value } satisfies Reply);
      } catch (error) {
        process.send?.({ id, error: String(error) } satisfies Reply);
      }
    })();
  });
  process.on("disconnect", () => process.exit());
}

/** The memory of a process. */
export interface Memory {
  readonly rssKb: number;
  readonly heapKb: number;
}

/** The maxima while a process was watched. */
export interface Watched {
  readonly longestPauseMs: number;
  readonly peakKb: number;
}

const loop = monitorEventLoopDelay({ resolution: 5 });
let peakKb = 0;
let watching: NodeJS.Timeout | undefined;

const figures = {
  /** Starts to watch the event loop and the memory. */
  watch: () => {
    loop.reset();
    loop.enable();
    peakKb = 0;
    watching ??= setInterval(() => {
      peakKb = Math.max(peakKb, process.memoryUsage.rss() / 1000);
    }, 10);
  },
  /** Stops watching. Returns the longest pause in milliseconds and the peak resident memory in kilobytes. */
  watched: (): Watched => {
    loop.disable();
    clearInterval(watching);
    watching = undefined;
    return { longestPauseMs: loop.max / 1e6, peakKb };
  },
  cpuMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  memory: async (): Promise<Memory> => {
    for (let round = 0; round < 3; round += 1) {
      globalThis.gc?.();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { rss, heapUsed } = process.memoryUsage();
    return { rssKb: rss / 1000, heapKb: heapUsed / 1000 };
  },
};
