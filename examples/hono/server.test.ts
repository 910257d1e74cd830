import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { expect, it } from "vitest";
import { talk } from "../talk.ts";
import { createApplication } from "./server.ts";

it("talks inside a Hono application, on a socket and without one", async () => {
  const { application, close } = await createApplication(":memory:");
  const server = createAdaptorServer({ fetch: application.fetch, overrideGlobalObjects: false });
  server.listen(0);
  await once(server, "listening");
  try {
    const port = (server.address() as AddressInfo).port;
    const visits = [
      await talk(`http://127.0.0.1:${port}/chat/`, fetch),
      await talk("http://shop.example/chat/", async (request) => application.fetch(request)),
    ];
    expect(visits.map(({ answer, stored, title }) => [answer.length > 0, stored, title !== undefined])).toEqual([
      [true, ["user", "assistant"], true],
      [true, ["user", "assistant"], true],
    ]);
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('proxy-url="/chat"');
  } finally {
    server.close();
    await close();
  }
});
