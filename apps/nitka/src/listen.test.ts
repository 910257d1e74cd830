import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { listen } from "./listen.ts";
import type { Listening } from "./listen.ts";

const open: Listening[] = [];

afterEach(() => {
  for (const each of open.splice(0)) {
    each.stopAccepting();
    each.closeAll();
  }
});

describe("listen", () => {
  it("serves localhost on its IPv4 and IPv6 addresses", async () => {
    const { url } = await start("localhost", 0);
    expect(url).toMatch(/^http:\/\/localhost:\d+$/);
    const responses = await Promise.all([url, url.replace("localhost", "127.0.0.1")].map((address) => fetch(address)));
    expect(await Promise.all(responses.map((response) => response.text()))).toEqual(["ok", "ok"]);
  });

  it("returns a URL that can be opened when it listens on all addresses", async () => {
    const { url } = await start("0.0.0.0", 0);
    expect(await (await fetch(url)).text()).toBe("ok");
  });

  it("reports a port that is in use", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => {
      other.listen(0, "127.0.0.1", resolve);
    });
    const { port } = other.address() as AddressInfo;
    await expect(start("localhost", port)).rejects.toThrow(
      `PORT is ${port}: expected a free port, but another program already listens on it.`,
    );
    other.close();
  });

  it("reports an address that is not of this machine", async () => {
    await expect(start("203.0.113.7", 0)).rejects.toThrow(
      'HOST is "203.0.113.7": expected an address of this machine.',
    );
    const ops = { host: "NITKA_OPS_HOST", port: "NITKA_OPS_PORT" };
    await expect(listen(() => undefined, "203.0.113.7", 0, 1_000, ops)).rejects.toThrow(
      'NITKA_OPS_HOST is "203.0.113.7": expected an address of this machine.',
    );
  });

  it("closes the connection of a client that does not read its response", async () => {
    const closed = Promise.withResolvers<boolean>();
    const listening = await listen(
      (_, response) => {
        response.once("close", () => closed.resolve(response.writableFinished));
        response.end(Buffer.alloc(20_000_000));
      },
      "127.0.0.1",
      0,
      200,
    );
    open.push(listening);
    const reader = connect(Number(new URL(listening.url).port), "127.0.0.1").pause();
    reader.on("error", () => undefined).write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(await closed.promise).toBe(false);
    reader.destroy();
  });
});

async function start(host: string, port: number): Promise<Listening> {
  const listening = await listen((_, response) => response.end("ok"), host, port);
  open.push(listening);
  return listening;
}
