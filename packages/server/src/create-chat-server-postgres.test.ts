import { textOf } from "@nitka/protocol/message";
import type { Message } from "@nitka/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "./test-waits/eventually.contract.ts";
import { instanceCallsContract } from "./contract/instance-calls.contract.ts";
import { instancesContract, ownerOf } from "./contract/instances.contract.ts";
import type { TwoStorages } from "./contract/instances.contract.ts";
import { Client, serverOpener, tap } from "./contract/server.contract.ts";
import { createScriptedModel } from "./model/testing/scripted-model.ts";
import type { ScriptLine } from "./model/testing/scripted-model.ts";
import { postgresForFile } from "./storage/contract/postgres-for-file.contract.ts";
import { queryPostgres } from "./storage/contract/query-postgres.contract.ts";
import { openPostgresStorage } from "./storage/postgres.ts";
import type { Storage } from "./storage/storage.ts";

describe("on Postgres", () => {
  const postgres = postgresForFile();

  const closes: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0)) await close();
  });

  async function openBoth(): Promise<TwoStorages> {
    const url = await postgres.createMigrated();
    const here = await openPostgresStorage({ url, instanceId: "a", connections: 4 });
    const there = await openPostgresStorage({ url, instanceId: "b", connections: 4 });
    closes.push(
      () => here.close(),
      () => there.close(),
    );
    const loseLogs = async () => void (await queryPostgres(url, "truncate nitka.run_event"));
    return { here, there, loseLogs };
  }

  const open = serverOpener();

  it("ends every answer completely after an outage of many times staleMs, also answers that are still being written", async () => {
    const { here, there } = await openBoth();
    const words = Array.from({ length: 40 }, (_, n) => `${n} `);
    // Half of them end while the database is unavailable, half after it is back.
    const script = ({ history }: { readonly history: readonly Message[] }): readonly ScriptLine[] => {
      const question = history.at(-1);
      const everyMs = question && textOf(question) === "short" ? 50 : 150;
      return words.map((delta, n) => ({ at: n * everyMs, event: { type: "text-delta", id: "t1", delta } }));
    };
    const limits = {
      runsAtOnce: null,
      addressRunsAtOnce: null,
      messagesPerMinute: null,
      addressMessagesPerMinute: null,
    };
    // A busy machine can stop a process for a tenth of a second: that must not count as stale.
    const timings = { heartbeatMs: 100, staleMs: 500 };
    const model = createScriptedModel({ script });
    const openOn = (storage: Storage) => open({ model, storage, timings, project: { limits } });
    const [onA, onB] = [await openOn(here), await openOn(there)];
    const client = await onA.visitor();
    const threadIds = await Promise.all(Array.from({ length: 20 }, () => client.newThread()));
    const readers = await Promise.all(
      threadIds.map(async (id, n) => tap(await client.ask(id, { id: `q${n}`, content: n % 2 ? "short" : "long" }))),
    );
    await eventually(() => expect(readers.filter(({ text }) => text().includes("2 "))).toHaveLength(20));
    await postgres.current.halt();
    // Seven times `staleMs`.
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    await postgres.current.resume();
    await Promise.all(readers.map(({ done }) => done));
    expect(readers.filter(({ text }) => !text().includes('"finish"'))).toEqual([]);
    expect(await there.runs.countRunning(ownerOf(client))).toBe(0);
    const elsewhere = new Client(onB.server, "default", client.cookie);
    for (const threadId of threadIds) {
      const answer = (await elsewhere.messages(threadId)).at(-1);
      expect([answer && textOf(answer), answer?.status]).toEqual([words.join(""), { type: "complete" }]);
    }
  });

  instancesContract(openBoth);
  instanceCallsContract(openBoth);
});
