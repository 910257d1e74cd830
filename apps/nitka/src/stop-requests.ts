import type { StopSignal } from "./program-context.ts";

/** What this module needs of `process`. */
export interface Stoppable {
  on(event: string, listener: (message: unknown) => void): unknown;
}

/**
 * Calls `listener` when the process is asked to stop: by a signal, or by the message `{ stop: signal }` of the process that
 * started it. Windows has no signals between processes, so there only the message asks for a stop with a drain.
 *
 * Ctrl+C may come both ways at once: the terminal sends it to every process in it, and `npm start` passes it on. That counts
 * as one request, so a second request is one that the same way has brought twice.
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
  // Ctrl+Break, which only Windows has: there it is the one signal that a service manager can send.
  process.on("SIGBREAK", () => bySignal("SIGTERM"));
  const byMessage = counter();
  process.on("message", (message) => {
    const signal = stopIn(message);
    if (signal) byMessage(signal);
  });
  // The channel closes when the process that started this one has died, which could then no longer stop it.
  process.on("disconnect", () => byMessage("SIGINT"));
}

/**
 * Calls `listener` when the process is asked to read its file of projects again: by SIGHUP, as is usual for servers, or by the
 * message `{ reload: true }` of the process that started it. Without a listener SIGHUP ends a process.
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
