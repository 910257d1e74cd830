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

type Handler = (request: Request) => Promise<Response>;
