import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { talk } from "../talk.ts";
import { createApplication } from "./server.ts";

it("talks inside an Express application, beside its own routes", async () => {
  const { application, close } = await createApplication(":memory:");
  const server = application.listen(0);
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const { apiBase, answer, title, stored } = await talk(`${base}/chat/`, fetch);
    expect({ apiBase, answered: answer.length > 0, titled: title !== undefined, stored }).toEqual({
      apiBase: "./",
      answered: true,
      titled: true,
      stored: ["user", "assistant"],
    });
    expect(await (await fetch(base)).text()).toContain('proxyUrl: "/chat"');
  } finally {
    server.closeAllConnections();
    server.close();
    await close();
  }
});
