import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { listenForReloads, listenForStops } from "./stop-requests.ts";

/** The stops that a process reports for these events, each with the message that it carries. */
function stopsOf(...events: readonly (readonly [event: string, message?: unknown])[]): readonly string[] {
  const process = new EventEmitter();
  const stops: string[] = [];
  listenForStops(process, (signal) => stops.push(signal));
  for (const [event, message] of events) process.emit(event, message);
  return stops;
}

const stopMessage = (stop: unknown) => ["message", { stop }] as const;

it("A request to reload the config file arrives as a signal or a message, and stops nothing", () => {
  const process = new EventEmitter();
  const heard: string[] = [];
  listenForReloads(process, () => heard.push("reload"));
  listenForStops(process, (signal) => heard.push(signal));
  process.emit("SIGHUP");
  process.emit("message", { reload: true });
  process.emit("message", "reload");
  expect(heard).toEqual(["reload", "reload"]);
});

describe("A request to stop", () => {
  it("arrives as a signal, as a message, or with the end of the parent process", () => {
    expect(stopsOf(["SIGTERM"])).toEqual(["SIGTERM"]);
    expect(stopsOf(["SIGINT"])).toEqual(["SIGINT"]);
    expect(stopsOf(["SIGBREAK"])).toEqual(["SIGTERM"]);
    expect(stopsOf(stopMessage("SIGTERM"))).toEqual(["SIGTERM"]);
    expect(stopsOf(["disconnect"])).toEqual(["SIGINT"]);
  });

  it("counts once when a signal and a message deliver it, in either order", () => {
    expect(stopsOf(["SIGINT"], stopMessage("SIGINT"))).toEqual(["SIGINT"]);
    expect(stopsOf(stopMessage("SIGINT"), ["SIGINT"])).toEqual(["SIGINT"]);
  });

  it("counts twice when it arrives twice in one way", () => {
    expect(stopsOf(["SIGTERM"], ["SIGINT"])).toEqual(["SIGTERM", "SIGINT"]);
    expect(stopsOf(["SIGINT"], stopMessage("SIGINT"), ["SIGINT"])).toEqual(["SIGINT", "SIGINT"]);
    expect(stopsOf(stopMessage("SIGTERM"), ["disconnect"])).toEqual(["SIGTERM", "SIGINT"]);
  });

  it("is not any other message", () => {
    expect(stopsOf(["message", undefined], ["message", "stop"], ["message", {}], stopMessage("SIGKILL"))).toEqual([]);
  });
});
