import { expect, it } from "vitest";
import { talk } from "../talk.ts";

it("talks through the handlers that Next calls, by the request's method", async () => {
  process.env["NITKA_DATABASE"] = ":memory:";
  const handlers = (await import("./app/chat/[...path]/route.ts")) as unknown as Record<string, Handler>;
  const { answer, stored, title } = await talk("http://shop.example/chat/", async (request) => {
    const handler = handlers[request.method];
    return handler ? handler(request) : new Response(null, { status: 405 });
  });
  expect([answer.length > 0, stored, title !== undefined]).toEqual([true, ["user", "assistant"], true]);
});

it("limits each address by itself", async () => {
  process.env["NITKA_DATABASE"] = ":memory:";
  const { GET } = (await import("./app/chat/[...path]/route.ts")) as unknown as Record<string, Handler>;
  const statusFrom = async (address: string) => {
    const headers = { "x-forwarded-for": `203.0.113.1, ${address}` };
    return (await GET?.(new Request("http://shop.example/chat/api/debug/threads", { headers })))?.status;
  };
  let asked = 0;
  while ((await statusFrom("192.0.2.1")) === 200 && asked < 2_000) asked += 1;
  expect([asked < 2_000, await statusFrom("192.0.2.2")]).toEqual([true, 200]);
});

type Handler = (request: Request) => Promise<Response>;
