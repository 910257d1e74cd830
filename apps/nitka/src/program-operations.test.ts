import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newVisitor, programOpener } from "./program.contract.ts";

const { start, run, dataFolder } = programOpener();

const OLD = "the secret of sixteen letters";
const NEW = "another secret and as long as the first";

describe("nitka backup", () => {
  it("copies the database while the server runs, and a program on the copy has every conversation", async () => {
    const program = await start({ NITKA_SECRET: OLD, NITKA_DEMO_SPEED: "1" });
    const visitor = await newVisitor(program.url);
    const thread = await visitor.newThread();
    await visitor.send(thread, "Привет!");
    const before = await visitor.messages(thread);
    const counting = visitor.send(thread, "Посчитай до 1000", before.at(-1)?.id);
    counting.catch(() => undefined);
    await visitor.untilSaid(thread, "Считаю");
    const copy = join(dataFolder(), "copy.db");
    const { code, stdout, stderr } = await run(["backup", "--to", copy], {});
    expect([code, stderr]).toEqual([0, `Reading SQLite in ${join(dataFolder(), "nitka.db")}.\n`]);
    expect(stdout).toMatch(/^SQLite in .*nitka\.db is copied to .*copy\.db: \d+ bytes\.\n$/);

    const restored = join(dataFolder(), "restored");
    mkdirSync(restored);
    copyFileSync(copy, join(restored, "nitka.db"));
    const again = visitor.at((await start({ NITKA_SECRET: OLD, NITKA_DATA: restored })).url);
    const after = await again.messages(thread);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.at(-1)?.status).toEqual({ type: "incomplete", reason: "interrupted" });
    expect(await again.send(thread, "Привет!", after.at(-1)?.id)).toContain('"type":"finish"');
  });
});

describe("A new secret", () => {
  it("signs from now on; the old secret is accepted while it is listed, and no longer afterwards", async () => {
    const before = await start({ NITKA_SECRET: OLD });
    const visitor = await newVisitor(before.url);
    const thread = await visitor.newThread();
    await before.end("SIGTERM");

    const between = await start({ NITKA_SECRET: `${NEW},${OLD}` });
    expect(await threadsOf(between.url, visitor.cookie)).toEqual([thread]);
    const config = await fetch(`${between.url}/api/projects/default/config`, { headers: { cookie: visitor.cookie } });
    const renewed = config.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
    expect(renewed).not.toBe(visitor.cookie);
    await between.end("SIGTERM");

    const { url } = await start({ NITKA_SECRET: NEW });
    expect(await threadsOf(url, renewed)).toEqual([thread]);
    expect(await threadsOf(url, visitor.cookie)).toEqual([]);
  });
});

async function threadsOf(url: string, cookie: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/api/debug/threads`, { headers: { cookie } });
  const threads = (await response.json()) as readonly { readonly threadId: string }[];
  return threads.map(({ threadId }) => threadId);
}
