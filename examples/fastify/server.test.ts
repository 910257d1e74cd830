import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { talk } from "../talk.ts";
import { createApplication } from "./server.ts";

it("talks inside a Fastify application, beside its own routes and their bodies", async () => {
  const application = await createApplication(":memory:");
  application.post("/orders", (request) => request.body);
  await application.listen({ port: 0 });
  const base = `http://127.0.0.1:${(application.server.address() as AddressInfo).port}`;
  try {
    const { answer, stored, title } = await talk(`${base}/chat/`, fetch);
    expect([answer.length > 0, stored, title !== undefined]).toEqual([true, ["user", "assistant"], true]);
    const order = { method: "POST", headers: { "content-type": "application/json" }, body: '{"sku":"blue"}' };
    expect(await (await fetch(`${base}/orders`, order)).json()).toEqual({ sku: "blue" });
    expect(await (await fetch(base)).text()).toContain('proxy-url="/chat"');
    const script = await fetch(`${base}/widget/nitka.js`);
    expect([script.status, script.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
    expect((await fetch(`${base}/widget/..%2Fpackage.json`)).status).toBe(404);
  } finally {
    await application.close();
  }
});

it("leaves the bodies of the chat's requests to the chat: an upload arrives", async () => {
  const application = await createApplication(":memory:");
  await application.listen({ port: 0 });
  const base = `http://127.0.0.1:${(application.server.address() as AddressInfo).port}/chat/api`;
  try {
    const config = await fetch(`${base}/projects/default/config`);
    const cookie = config.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
    const form = new FormData();
    form.set("file", new File(["пример"], "note.txt", { type: "text/plain" }));
    const post = (path: string, body: BodyInit) =>
      fetch(`${base}/${path}`, { method: "POST", headers: { cookie }, body });
    const created = await post("debug/threads", new Blob(["{}"], { type: "application/json" }));
    const { threadId } = (await created.json()) as { readonly threadId: string };
    expect((await post(`debug/threads/${threadId}/attachments`, form)).status).toBe(200);
  } finally {
    await application.close();
  }
});
