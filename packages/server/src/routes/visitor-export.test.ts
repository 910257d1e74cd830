import { mkdtempSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { createFolderFiles } from "../storage/files/folder-files.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";
import { Client, eventsOf } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";

const { open, openThread } = threadOpener();
const HOUR_MS = 3_600_000;

interface Exported {
  readonly visitorId: string;
  readonly threads: readonly {
    readonly threadId: string;
    readonly messages: readonly { readonly id: string }[];
    readonly attachments: readonly { readonly name: string; readonly data: string; readonly missing?: true }[];
  }[];
  readonly usage: readonly unknown[];
  readonly consents: readonly unknown[];
}

const exported = async (client: Client) => (await (await client.get("visitor/export")).json()) as Exported;

it("a visitor gets everything that is stored about them, and deleted threads while they can be restored", async () => {
  let now = Date.parse("2026-05-04T10:00:00Z");
  const { visitor } = await open({
    clock: () => new Date(now),
    project: { config: { consent: { text: "Согласие", version: "1" } } },
  });
  const client = await visitor();
  await client.post("visitor/consent", { version: "1" });
  const [kept, deleted] = [await client.newThread(), await client.newThread()];
  await eventsOf(await client.ask(kept, { id: "q1" }));
  await client.upload(kept, new File(["Текст"], "a.txt", { type: "text/plain" }));
  await client.post(`threads/${deleted}/archive`, {});
  const all = await exported(client);
  expect(all.threads.map(({ threadId }) => threadId).toSorted()).toEqual([kept, deleted].toSorted());
  const thread = all.threads.find(({ threadId }) => threadId === kept);
  expect(thread?.messages.map(({ id }) => id)).toEqual(["q1", expect.any(String)]);
  expect(thread?.attachments.map(({ data }) => Buffer.from(data, "base64").toString())).toEqual(["Текст"]);
  expect(all.consents).toEqual([{ version: "1", at: "2026-05-04T10:00:00.000Z" }]);
  now += HOUR_MS + 1;
  expect((await exported(client)).threads.map(({ threadId }) => threadId)).toEqual([kept]);
});

it("nobody gets another visitor's export, and a request without a credential gets an empty one", async () => {
  const { visitor, server } = await open();
  const [anna, boris] = [await visitor(), await visitor()];
  await eventsOf(await anna.ask(await anna.newThread(), { id: "q1" }));
  expect((await exported(anna)).threads).toHaveLength(1);
  const empty = { projectId: "default", visitorId: expect.any(String), threads: [], usage: [], consents: [] };
  expect(await exported(boris)).toEqual(empty);
  const response = await new Client(server, "default").get("visitor/export");
  expect([response.status, response.headers.get("set-cookie"), await response.json()]).toEqual([200, null, empty]);
});

it("an export is read no further than its reader reads, and continues when the reader does", async () => {
  const slowReaderMs = 300;
  const { client, threadId } = await openThread({ timings: { slowReaderMs } });
  await client.upload(threadId, new File(["x".repeat(3_000_000)], "a.txt", { type: "text/plain" }));
  const gone = await client.get("visitor/export");
  await expect(gone.body?.getReader().closed).rejects.toThrow("The reader was too slow");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const slow = await client.get("visitor/export");
  let text = "";
  let readMs = 0;
  for await (const piece of slow.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    // The server has begun to wait for room, or has room, before the time passes.
    await turn();
    vi.advanceTimersByTime(slowReaderMs / 10);
    readMs += slowReaderMs / 10;
  }
  expect(readMs).toBeGreaterThan(2 * slowReaderMs);
  const [thread] = (JSON.parse(text) as Exported).threads;
  expect(thread?.attachments.map(({ data }) => Buffer.from(data, "base64").length)).toEqual([3_000_000]);
});

it("an export contains the rest when the bytes of a file are lost, and the loss is reported in it and in the log", async () => {
  const folder = mkdtempSync(join(tmpdir(), "nitka-export-"));
  const storage = await openSqliteStorage({ path: ":memory:", files: createFolderFiles(folder) });
  const { client, threadId, log, server } = await openThread({ storage });
  const texts = { "gone.txt": "пропал", "cut.txt": "0123456789", "kept.txt": "цел" };
  const ids: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) {
    const stored = await client.upload(threadId, new File([text], name, { type: "text/plain" }));
    ids[name] = ((await stored.json()) as { readonly id: string }).id;
  }
  const pathOf = (name: string) =>
    join(
      folder,
      String(readdirSync(folder, { recursive: true }).find((path) => String(path).endsWith(ids[name] ?? "?"))),
    );
  rmSync(pathOf("gone.txt"));
  truncateSync(pathOf("cut.txt"), 4);
  const [thread] = (await exported(client)).threads;
  const files = Object.fromEntries((thread?.attachments ?? []).map(({ name, ...file }) => [name, file]));
  const inBase64 = (text: string) => Buffer.from(text).toString("base64");
  expect(files).toEqual({
    "gone.txt": expect.objectContaining({ data: "", missing: true }) as unknown,
    "cut.txt": expect.objectContaining({ data: inBase64("0123"), missing: true }) as unknown,
    "kept.txt": expect.not.objectContaining({ missing: true }) as unknown,
  });
  expect(files["kept.txt"]?.data).toBe(inBase64("цел"));
  const warned = log.filter(({ text }) => text === "a file is missing in a visitor's export");
  expect(warned.every(({ fields }) => fields["threadId"] === threadId)).toBe(true);
  const missing = warned.map(({ fields }) => String(fields["attachmentId"]));
  expect(missing.toSorted()).toEqual([ids["gone.txt"] ?? "", ids["cut.txt"] ?? ""].toSorted());
  await server.close();
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});
