import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { talk } from "../talk.ts";

type Handler = (request: Request) => Promise<Response>;

async function handlers(): Promise<Record<string, Handler>> {
  return (await import("./app/chat/[...path]/route.ts")) as unknown as Record<string, Handler>;
}

it("a start that failed is tried again with the next request", async () => {
  const { GET } = await handlers();
  const ask = async () => GET?.(new Request("http://shop.example/chat/api/debug/threads"));
  const folder = mkdtempSync(join(tmpdir(), "nitka-next-"));
  // A folder is not a database.
  process.env["NITKA_DATABASE"] = join(folder, "chat.db");
  mkdirSync(join(folder, "chat.db"));
  await expect(ask()).rejects.toThrow("cannot be opened");
  rmSync(folder, { recursive: true });
  process.env["NITKA_DATABASE"] = ":memory:";
  expect((await ask())?.status).toBe(200);
});

it("talks through the handlers that Next calls, by the request's method", async () => {
  process.env["NITKA_DATABASE"] = ":memory:";
  const byMethod = await handlers();
  const { answer, stored, title } = await talk("http://shop.example/chat/", async (request) => {
    const handler = byMethod[request.method];
    return handler ? handler(request) : new Response(null, { status: 405 });
  });
  expect([answer.length > 0, stored, title !== undefined]).toEqual([true, ["user", "assistant"], true]);
});

it("limits each address by itself", async () => {
  process.env["NITKA_DATABASE"] = ":memory:";
  const { GET } = await handlers();
  const statusFrom = async (address: string) => {
    const headers = { "x-forwarded-for": `203.0.113.1, ${address}` };
    return (await GET?.(new Request("http://shop.example/chat/api/debug/threads", { headers })))?.status;
  };
  let asked = 0;
  while ((await statusFrom("192.0.2.1")) === 200 && asked < 2_000) asked += 1;
  expect([asked < 2_000, await statusFrom("192.0.2.2")]).toEqual([true, 200]);
});

it("SIGTERM closes the server and its database, and then the process ends", async () => {
  const folder = mkdtempSync(join(tmpdir(), "nitka-next-"));
  const script = `
    import { POST } from ${JSON.stringify(new URL("app/chat/[...path]/route.ts", import.meta.url).href)};
    const headers = { "content-type": "application/json" };
    const request = new Request("http://shop.example/chat/api/debug/threads", { method: "POST", headers, body: "{}" });
    console.log((await POST(request)).status);
    setInterval(() => undefined, 1_000);`;
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, NITKA_DATABASE: join(folder, "chat.db"), NEXT_MANUAL_SIG_HANDLE: "true" };
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], { env });
  try {
    expect(String((await once(child.stdout, "data"))[0])).toBe("200\n");
    expect(readdirSync(folder)).toContain("chat.db-wal");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(readdirSync(folder)).not.toContain("chat.db-wal");
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  }
});
