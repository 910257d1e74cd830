import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startTestBackend } from "@nitka/conformance/test-backend";
import { afterEach, describe, expect, it } from "vitest";
import { runInProcess } from "./command.contract.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** The address of a server that responds to everything with this body. */
async function serve(body: string): Promise<string> {
  const server = createServer((_, response) => response.end(body)).listen(0, "127.0.0.1");
  stops.push(() => server.close().closeAllConnections());
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("an address without a backend gets one sentence:", () => {
  it.each([
    [[], 2, "The address of a backend is missing: nitka conformance https://chat.example/\n"],
    [
      ["chat.example"],
      2,
      '"chat.example" is not the address of a backend: expected http:// or https://, such as https://chat.example/\n',
    ],
    [["http://a/", "http://b/"], 2, "Only one address can be checked, not 2: http://a/ http://b/\n"],
  ])("%j", async (addresses, code, stderr) => {
    expect(await runInProcess({}, "conformance", ...addresses)).toEqual({ code, stdout: "", stderr });
  });

  it("a malformed page", async () => {
    expect(await runInProcess({}, "conformance", "http://a/", "--page", "shop.example")).toEqual({
      code: 2,
      stdout: "",
      stderr: '--page "shop.example": expected the address of a page, such as https://shop.example/\n',
    });
  });

  it("a page instead of JSON", async () => {
    const address = await serve("<!doctype html><title>Лавка</title>");
    expect(await runInProcess({}, "conformance", address)).toEqual({
      code: 1,
      stdout: "",
      stderr: `${address}/api/projects/default/config returns a page instead of JSON (200: <!doctype html><title>Лавка</title>): is this the address of the backend itself?\n`,
    });
  });

  it("no listener", async () => {
    const address = await serve("");
    await stops.pop()?.();
    const { code, stderr } = await runInProcess({}, "conformance", address, "--project", "shop");
    expect([code, stderr]).toEqual([
      1,
      `${address}/api/projects/shop/config cannot be reached: connect ECONNREFUSED ${address.slice(7)}.\n`,
    ]);
  });
});

it("a backend that is broken everywhere is reported completely", async () => {
  const { code, stdout, stderr } = await runInProcess({}, "conformance", await serve('"yes"'));
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toContain("  ✗ the config is a JSON object, and its fields have the protocol's types\n");
  expect(stdout).toMatch(/\n\d+ hold, \d+ fail, \d+ advised, \d+ skipped\n$/);
});

it("failures are printed as in the documentation, and the exit code reports them", async () => {
  const backend = await startTestBackend(async (request, respond) => {
    const response = await respond(request);
    if (!request.url.endsWith("/messages")) return response;
    return new Response((await response.text()).replace("и чашка", "чашка"), response);
  });
  stops.push(backend.close);
  const { code, stdout } = await runInProcess({}, "conformance", backend.proxyUrl.href);
  expect(code).toBe(1);
  const docs = readFileSync(new URL("../../../../docs/own-backend.md", import.meta.url), "utf8");
  const [, shown = ""] = /^```\n(History\n.*?)^```$/ms.exec(docs) ?? [];
  const [, printed = ""] = /^(History\n(?:.*\n)*? +got .*\n)/m.exec(stdout) ?? [];
  // The answer's id is between the two lines of the page.
  const plain = (text: string) =>
    text.replaceAll(/http:\/\/[^/]+\/|threads\/[\w-]+|.*the id that the stream gave it\n/g, "");
  expect(plain(printed)).toBe(plain(shown));
  expect(stdout).toMatch(/\n54 hold, 4 fail, 0 advised, 3 skipped\n$/);
});
