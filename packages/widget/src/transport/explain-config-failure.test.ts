import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { explainConfigFailure } from "./explain-config-failure.ts";

type Respond = (request: RequestInit) => Response | Promise<Response>;

async function explained(
  respond: Respond,
  { pageUrl = "https://shop.example/o", proxyUrl = "https://chat.example/" } = {},
) {
  const info = vi.spyOn(console, "info").mockReturnValue();
  const begin = vi.fn<() => void>();
  const failure = {
    proxyUrl,
    pageUrl,
    projectId: "shop",
    fetch: async (_: unknown, request: RequestInit = {}) => respond(request),
    signal: new AbortController().signal,
  };
  vi.useFakeTimers();
  const explaining = explainConfigFailure(failure, begin);
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  await explaining;
  const told = info.mock.calls.flat();
  info.mockRestore();
  return begin.mock.calls.length === 0 ? told : [...told, "The widget begins anew."];
}

const fails: Respond = () => Promise.reject(new TypeError("Failed to fetch"));
const problem = (code: string, status: number) => Response.json({ error: { code, message: "because" } }, { status });

it.each<[string, Respond, string]>([
  [
    "an origin that is not allowed",
    (request) => (request.mode === "no-cors" ? new Response() : fails(request)),
    'does not allow this page: add "https://shop.example" to the project\'s allowedOrigins',
  ],
  ["a server that is away", fails, "https://chat.example/ cannot be reached"],
  ["an unknown project", () => problem("not_found", 404), 'has no project "shop": check projectId. It says: because'],
  ["another refusal of the server", () => problem("rate_limited", 429), "answers 429 (rate_limited): because"],
  ["another server", () => new Response("<h1>404</h1>", { status: 404 }), "check proxyUrl"],
])("names the cause: %s", async (_, respond, cause) => {
  expect(await explained(respond)).toEqual([expect.stringContaining(cause)]);
});

it("names a server on http: below a page on https:, and asks nothing", async () => {
  const never: Respond = () => expect.unreachable();
  const told = await explained(never, { proxyUrl: "http://chat.example/" });
  expect(told).toEqual([expect.stringContaining("browsers block such requests")]);
  expect(await explained(fails, { proxyUrl: "http://localhost:3000/" })).toEqual([
    expect.stringContaining("cannot be reached"),
  ]);
});

it("names the page's policy, whose event comes after the request has failed", async () => {
  const page = new EventTarget();
  const { document } = globalThis;
  Object.defineProperty(globalThis, "document", { value: page, configurable: true, writable: true });
  onTestFinished(() => void Object.defineProperty(globalThis, "document", { value: document, configurable: true }));
  const respond: Respond = (request) => {
    const blockedURI = "https://chat.example/api/projects/shop/config";
    setTimeout(() => void page.dispatchEvent(Object.assign(new Event("securitypolicyviolation"), { blockedURI })));
    return fails(request);
  };
  expect(await explained(respond)).toEqual([expect.stringContaining("add it to connect-src")]);
});

it("names a server that is not named, and an optimiser where the script has lost its own address", async () => {
  const respond: Respond = () => new Response("<h1>404</h1>", { status: 404 });
  const told = await explained(respond, { proxyUrl: "https://shop.example/" });
  expect(told).toEqual([expect.stringMatching(/set proxyUrl\. .* an optimiser has moved or joined the script/)]);
});

it("says nothing where the config comes by now, and has the widget begin anew", async () => {
  expect(await explained(() => Response.json({}))).toEqual(["The widget begins anew."]);
});

it("has the widget begin anew once a server is back that was away or answered with an error", async () => {
  const away: readonly Respond[] = [fails, () => problem("unavailable", 503), () => new Response("", { status: 502 })];
  for (const fault of away) {
    let asked = 0;
    const respond: Respond = (request) => {
      asked += request.credentials === "include" ? 1 : 0;
      return asked < 2 ? fault(request) : Response.json({});
    };
    expect(await explained(respond)).toEqual([expect.stringMatching(/^Nitka: /), "The widget begins anew."]);
  }
});

it("names a backend that lets pages in without credentials alone, and has nothing begin again and again", async () => {
  const respond: Respond = (request) => (request.credentials === "include" ? fails(request) : Response.json({}));
  expect(await explained(respond)).toEqual([expect.stringContaining("Access-Control-Allow-Credentials: true")]);
});

it("leads to sections that the documents have", async () => {
  const text = readFileSync(join(import.meta.dirname, "../../../../docs/troubleshooting.md"), "utf8");
  const anchors = [...text.matchAll(/^## (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  );
  const causes: readonly Respond[] = [
    fails,
    (request) => (request.mode === "no-cors" ? new Response() : fails(request)),
    () => problem("not_found", 404),
    () => problem("rate_limited", 429),
    () => new Response("", { status: 404 }),
  ];
  const told: string[] = [];
  for (const respond of causes) told.push(String(await explained(respond)));
  const sections = told.map((line) => /docs\/troubleshooting\.md#(\S+)$/.exec(line)?.[1]);
  expect(new Set(sections).size).toBe(3);
  expect(anchors).toEqual(expect.arrayContaining(sections));
});
