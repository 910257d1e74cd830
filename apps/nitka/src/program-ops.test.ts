import { once } from "node:events";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { programOpener } from "./program.contract.ts";

const { start } = programOpener();

/** The response to a path that is sent unchanged: `fetch` would resolve its dot segments. */
async function responseTo(url: string, path: string): Promise<IncomingMessage> {
  const { hostname, port } = new URL(url);
  const asked = request({ hostname, port, path, agent: false });
  asked.end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  return response;
}

async function statusOf(url: string, path: string): Promise<number | undefined> {
  const response = await responseTo(url, path);
  response.resume();
  return response.statusCode;
}

describe("The pages", () => {
  it("are not served when NITKA_PAGES is off; the API and the widget are", async () => {
    const program = await start({ NITKA_PAGES: "off" });
    const paths = ["/", "/c/t1", "/demo/", "/demo", "/demo/launcher", "/demo/shop.js", "/demo/help/delivery.html"];
    const served = ["/widget/nitka.js", "/healthz", "/api/debug/threads"];
    const statuses = await Promise.all([...paths, ...served].map((path) => statusOf(program.url, path)));
    expect(statuses).toEqual([...paths.map(() => 404), ...served.map(() => 200)]);
    expect(await statusOf(program.url, "/p/demo/api/debug/threads")).toBe(404);
    expect(program.stdout()).not.toMatch(/Chat|Demo/);
  });
});

describe("Metrics and probes", () => {
  it("are on the operators' port, and the probes on both ports", async () => {
    const program = await start({ NITKA_OPS_PORT: "0", HOST: "0.0.0.0" });
    const ops = /Metrics   (\S+)\/metrics/.exec(program.stdout())?.[1] ?? "";
    expect(new URL(ops).hostname).toBe("127.0.0.1");
    const paths = ["/metrics", "/openapi.json", "/healthz", "/readyz", "/api/debug/threads", "/", "/desk/"];
    const statuses = async (url: string) => Promise.all(paths.map((path) => statusOf(url, path)));
    expect(await statuses(program.url)).toEqual([404, 404, 200, 200, 200, 200, 404]);
    expect(await statuses(ops)).toEqual([200, 200, 200, 200, 404, 404, 404]);
    expect(program.stderr()).toContain("there is no desk: neither NITKA_DESK_KEYS nor NITKA_DESK_KEY is set");
    expect(await program.end("SIGTERM")).toBe(0);
  });

  it("share the port with the desk if it has a key, which the log does not show", async () => {
    const key = "a key of sixteen letters";
    const program = await start({ NITKA_OPS_PORT: "0", NITKA_DESK_KEYS: `anna:${key}` });
    const desk = /Desk      (\S+)\/desk/.exec(program.stdout())?.[1] ?? "";
    const paths = ["/desk/", "/desk/desk.js", "/desk/api/session", "/desk/api/runs"];
    const statuses = async (url: string) => Promise.all(paths.map((path) => statusOf(url, path)));
    expect(await statuses(desk)).toEqual([200, 200, 200, 401]);
    expect(await statuses(program.url)).toEqual([404, 404, 404, 404]);
    const authorization = `Bearer ${key}`;
    const days = await fetch(`${desk}/desk/api/days?format=csv`, { headers: { authorization } });
    expect([days.status, await days.text()]).toEqual([200, expect.stringMatching(/^day,projectId,runs,/)]);
    await fetch(`${desk}/desk/api/runs`, { headers: { authorization } });
    await expect
      .poll(program.stderr)
      .toMatch(/"operator":"anna","projects":\[.*"an operator read the list of answers"/);
    expect(program.stdout() + program.stderr()).not.toContain(key);
  });

  it("are not served at a path with dot segments; under the API that is the API's own error", async () => {
    const { url } = await start({});
    const places = ["/widget/%2e%2e/metrics", "/widget/../metrics", "/widget/.%2E/metrics", "/./metrics", "/metrics"];
    const statuses = await Promise.all(places.map(async (path) => [path, await statusOf(url, path)]));
    expect(statuses).toEqual(places.map((path) => [path, path === "/metrics" ? 200 : 404]));
    const message = "There is nothing at this address.";
    for (const path of ["/p/%2e%2e/api/debug/threads", "/api/../metrics", "/p/shop/%2E/api/debug/threads"]) {
      const response = await responseTo(url, path);
      const body: unknown = JSON.parse(await text(response));
      expect([path, response.statusCode, body]).toEqual([path, 404, { error: { code: "not_found", message } }]);
    }
  });
});
