import { describe, expect, it } from "vitest";
import { Client, serverOpener } from "../contract/server.contract.ts";
import type { OpenOptions, Opened } from "../contract/server.contract.ts";

const openServer = serverOpener();
/** Behind a proxy that terminates TLS. */
const open = (options: OpenOptions = {}) => openServer({ trustedProxies: 1, ...options });
const SECRET = "a secret of sixteen letters";
const CONFIG = "/api/projects/default/config";
const https = { "x-forwarded-proto": "https" };

async function cookieOf({ server }: Opened, headers: Record<string, string> = {}, cookie?: string): Promise<string> {
  const response = await new Client(server, "default", cookie).get(CONFIG, headers);
  return response.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
}

/** The visitor of a request with these cookies, from the log. */
async function visitorOf({ server, log }: Opened, cookie: string, headers = https): Promise<unknown> {
  await new Client(server, "default", cookie).get("threads", headers);
  return log.at(-1)?.fields["visitorId"];
}

describe("a visitor's cookie over HTTPS", () => {
  it("has the prefix __Host- and its date", async () => {
    const opened = await open({ clock: () => new Date("2026-11-21T12:00:00Z") });
    const cookie = await cookieOf(opened, https);
    expect(cookie).toMatch(/^__Host-nitka_visitor=[0-9a-z]+\.20778\.[\w-]{43}$/);
    expect(await cookieOf(opened)).toMatch(/^nitka_visitor=[0-9a-z]+\.20778\.[\w-]{43}$/);
  });

  it("takes precedence over one that a sibling domain has set, in any order", async () => {
    const opened = await open();
    const own = await cookieOf(opened, https);
    const id = await visitorOf(opened, own);
    const planted = await cookieOf(opened);
    const visitors = [await visitorOf(opened, `${planted}; ${own}`), await visitorOf(opened, `${own}; ${planted}`)];
    expect(visitors).toEqual([id, id]);
  });

  it("cannot be one that was set over plain HTTP, which a sibling domain could have set", async () => {
    const opened = await open();
    const plain = await cookieOf(opened);
    const id = await visitorOf(opened, plain, {} as typeof https);
    expect(await visitorOf(opened, plain)).not.toBe(id);
    expect(await visitorOf(opened, plain.replace("nitka", "__Host-nitka"))).not.toBe(id);
  });

  it("is that of plain HTTP when no proxy is trusted, whatever a request says, and the log names the setting once", async () => {
    const opened = await open({ trustedProxies: 0 });
    expect(await cookieOf(opened, https)).toMatch(/^nitka_visitor=/);
    expect(await cookieOf(opened, https)).toMatch(/^nitka_visitor=/);
    const warnings = opened.log.filter(({ level }) => level === "warn").map(({ text }) => text);
    expect(warnings).toEqual([expect.stringContaining("NITKA_TRUSTED_PROXIES")]);
  });

  it.each([
    ["https", 1, true],
    ["http, https", 1, true],
    ["https, http", 1, false],
    ["https, http", 2, true],
    ["https", 2, true],
    ["HTTPS", 1, true],
  ])("for X-Forwarded-Proto: %s behind %i proxies is: %s", async (header, trustedProxies, isSecure) => {
    const cookie = await cookieOf(await open({ trustedProxies }), { "x-forwarded-proto": header });
    expect(cookie.startsWith("__Host-")).toBe(isSecure);
  });

  it("lasts 400 days from the last request of the config", async () => {
    let now = Date.UTC(2026, 0, 1);
    const opened = await open({ clock: () => new Date(now) });
    const first = await cookieOf(opened, https);
    const id = await visitorOf(opened, first);
    now += 399 * 86_400_000;
    const second = await cookieOf(opened, https, first);
    expect([await visitorOf(opened, first), second === first]).toEqual([id, false]);
    now += 2 * 86_400_000;
    expect(await visitorOf(opened, first)).not.toBe(id);
    expect(await visitorOf(opened, second)).toBe(id);
  });
});

describe("a new secret", () => {
  it("signs from then on, and cookies signed with the old ones are still valid", async () => {
    const before = await open({ secret: SECRET });
    const cookie = await cookieOf(before, https);
    const id = await visitorOf(before, cookie);
    const both = await open({ secret: ["a newer secret of the house", SECRET] });
    expect(await visitorOf(both, cookie)).toBe(id);
    const renewed = await cookieOf(both, https, cookie);
    const after = await open({ secret: "a newer secret of the house" });
    expect(await visitorOf(after, renewed)).toBe(id);
    expect(await visitorOf(after, cookie)).not.toBe(id);
  });
});

describe("the config's token", () => {
  it("is given to pages of another site, and to visitors who already have one", async () => {
    const { server } = await open({ project: { allowedOrigins: ["https://shop.example"] } });
    const tokenFor = async (headers: Record<string, string>) => {
      const response = await new Client(server).get(CONFIG, headers);
      return ((await response.json()) as { visitor?: { token: string } }).visitor?.token;
    };
    const token = await tokenFor({ origin: "https://shop.example", "sec-fetch-site": "cross-site" });
    expect(token).toMatch(/^nitka1\./);
    expect(await tokenFor({ authorization: `Bearer ${token}` })).toMatch(/^nitka1\./);
    expect(await tokenFor({})).toBeUndefined();
    expect(await tokenFor({ "sec-fetch-site": "same-origin", origin: "http://nitka.test" })).toBeUndefined();
    expect(await tokenFor({ "sec-fetch-site": "same-site", origin: "https://shop.example" })).toBeUndefined();
  });
});
