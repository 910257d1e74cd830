import type { StopSignal } from "./program-context.ts";

/** The part of `process` that this module uses. */
export interface Stoppable {
  on(event: string, listener: (message: unknown) => void): unknown;
}

/**
 * Calls `listener` when the process is asked to stop: by a signal, or by the message `{ stop: signal }` of the parent
 * process. Windows has no signals between processes, so there only the message asks for a stop with a drain.
 *
 * Ctrl+C may arrive both ways at once: the terminal sends it to each of its processes, and `npm start` forwards it.
 * That counts as one request; a second request is one that the same way has delivered twice.
 */
export function listenForStops(process: Stoppable, listener: (signal: StopSignal) => void): void {
  let requests = 0;
  const counter = () => {
    let count = 0;
    return (signal: StopSignal) => {
      count += 1;
      if (count <= requests) return;
      requests = count;
      listener(signal);
    };
  };
  const bySignal = counter();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => bySignal(signal));
  // Ctrl+Break, which only Windows has: it is the only signal that a service manager can send there.
  process.on("SIGBREAK", () => bySignal("SIGTERM"));
  const byMessage = counter();
  process.on("message", (message) => {
    const signal = stopIn(message);
    if (signal) byMessage(signal);
  });
  // The channel closes when the parent process has died, which could then no longer stop this one.
  process.on("disconnect", () => byMessage("SIGINT"));
}

/**
 * Calls `listener` when the process is asked to reload its config file: by SIGHUP, as is usual for servers, or by the
 * message `{ reload: true }` of the parent process. Without a listener SIGHUP ends a process.
 */
export function listenForReloads(process: Stoppable, listener: () => void): void {
  process.on("SIGHUP", listener);
  process.on("message", (message) => {
    if (typeof message === "object" && message !== null && "reload" in message) listener();
  });
}

function stopIn(message: unknown): StopSignal | undefined {
  if (typeof message !== "object" || message === null || !("stop" in message)) return undefined;
  return message.stop === "SIGTERM" || message.stop === "SIGINT" ? message.stop : undefined;
}
