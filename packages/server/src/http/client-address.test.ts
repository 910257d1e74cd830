import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createClientNetworks } from "./client-address.ts";
import { silentLog } from "../services/log.ts";

function addressOf(remote: string, forwarded?: string, trustedProxies = 0): string | undefined {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: remote });
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const networks = createClientNetworks({ trustedProxies, logger: silentLog });
  return networks(new Request("http://a/", { headers }), { incoming: new IncomingMessage(socket) })[0]?.key;
}

describe("a client's address", () => {
  it("is the socket's, whatever X-Forwarded-For says", () => {
    expect([addressOf("1.2.3.4"), addressOf("1.2.3.4", "9.9.9.9")]).toEqual(["1.2.3.4", "1.2.3.4"]);
  });

  it("is the one that the outermost trusted proxy saw", () => {
    expect([
      addressOf("10.0.0.1", "5.6.7.8", 1),
      addressOf("10.0.0.1", "9.9.9.9, 5.6.7.8", 1),
      addressOf("10.0.0.1", "9.9.9.9, 5.6.7.8, 10.0.0.2", 2),
      addressOf("10.0.0.1", undefined, 1),
    ]).toEqual(["5.6.7.8", "5.6.7.8", "5.6.7.8", "10.0.0.1"]);
  });

  it("loses the port that some proxies add", () => {
    expect(
      ["5.6.7.8:49152", "[2001:db8:1:2::9]:49152", "[2001:db8:1:2::9]"].map((one) => addressOf("10.0.0.1", one, 1)),
    ).toEqual(["5.6.7.8", "2001:db8:1:2", "2001:db8:1:2"]);
  });

  it("is the same for a whole IPv6 network, and an embedded IPv4 address counts as IPv4", () => {
    expect(
      ["2001:db8:1:2:3:4:5:6", "2001:0DB8:1:2::9", "2001:db8:1:3::9", "::1", "fe80::1%eth0", "::ffff:1.2.3.4"].map(
        (one) => addressOf(one),
      ),
    ).toEqual(["2001:db8:1:2", "2001:db8:1:2", "2001:db8:1:3", "0:0:0:0", "fe80:0:0:0", "1.2.3.4"]);
  });

  it("is unknown without a socket, and when clientAddress returns none", () => {
    const request = new Request("http://a/");
    const unknown = [{ key: "unknown", share: 1 }];
    const clientAddress = () => undefined;
    expect([
      createClientNetworks({ trustedProxies: 0, logger: silentLog })(request, {}),
      createClientNetworks({ trustedProxies: 0, clientAddress, logger: silentLog })(request, {}),
    ]).toEqual([unknown, unknown]);
  });
});
