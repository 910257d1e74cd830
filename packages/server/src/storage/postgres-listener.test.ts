import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { eventually } from "../test-waits/eventually.contract.ts";
import { postgresForFile } from "./contract/postgres-for-file.contract.ts";
import { queryPostgres } from "./contract/query-postgres.contract.ts";
import { startWatchedProxy } from "./contract/watched-proxy.contract.ts";
import type { WatchedProxy } from "./contract/watched-proxy.contract.ts";
import { listenToPostgres } from "./postgres-listener.ts";
import type { PostgresListener } from "./postgres-listener.ts";

describe("The connection that listens to Postgres", () => {
  const postgres = postgresForFile();
  let url = "";
  let proxy: WatchedProxy;
  let listener: PostgresListener;
  let heard: string[] = [];
  let told: string[] = [];

  beforeEach(async () => {
    url = await postgres.current.createDatabase();
    proxy = await startWatchedProxy(url, { refuses: false });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    [heard, told] = [[], []];
    listener = await listenToPostgres({
      url: proxy.url,
      channels: ["news", "more"],
      log: { info: (_fields, text) => told.push(text), warn: (_fields, text) => told.push(text) },
      onNotification: (payload) => heard.push(payload),
    });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await listener.stop();
    proxy.stop();
  });

  const notify = (channel: string, payload: string) => queryPostgres(url, `notify ${channel}, '${payload}'`);
  const again = "LISTEN on Postgres works again";

  it.each([1, 3])("is replaced when the network has dropped it %i times without closing it", async (times) => {
    for (let n = 1; n <= times; n += 1) {
      proxy.forgetConnections();
      await notify("news", "lost");
      await vi.advanceTimersByTimeAsync(36_000);
      await eventually(() => expect(told.filter((text) => text === again)).toHaveLength(n));
      expect(listener.listening).toBe(true);
      for (const channel of ["news", "more"]) await notify(channel, `${channel} ${n}`);
      await eventually(() => expect(heard.slice(-2)).toEqual([`news ${n}`, `more ${n}`]));
    }
    expect(heard).not.toContain("lost");
  });

  it("stays while it answers, for minutes", async () => {
    proxy.packets();
    for (let n = 1; n <= 4; n += 1) {
      await vi.advanceTimersByTimeAsync(30_000);
      await eventually(() => expect(proxy.packets().filter((packet) => packet.includes("select 1"))).toHaveLength(1));
      await notify("news", `${n}`);
      await eventually(() => expect(heard).toHaveLength(n));
    }
    expect([told, listener.listening]).toEqual([[], true]);
  });

  it("counts as lost from its first unanswered check until it is back", async () => {
    proxy.forgetConnections();
    proxy.loseAnswers(true);
    await vi.advanceTimersByTimeAsync(36_000);
    await eventually(() => expect(listener.listening).toBe(false));
    proxy.loseAnswers(false);
    await eventually(() => expect(listener.listening).toBe(true));
  });

  it.each(["before", "during"])("is stopped although the network has dropped it, %s a check", async (when) => {
    proxy.forgetConnections();
    if (when === "during") await vi.advanceTimersByTimeAsync(31_000);
    let isStopped = false;
    const stopping = listener.stop().then(() => (isStopped = true));
    await vi.advanceTimersByTimeAsync(6_000);
    await eventually(() => expect(isStopped).toBe(true));
    await stopping;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told.filter((text) => text === again)).toEqual([]);
  });
});
