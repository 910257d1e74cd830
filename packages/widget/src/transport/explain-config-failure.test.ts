import { expect, it, vi } from "vitest";
import { explainConfigFailure } from "./explain-config-failure.ts";

type Respond = (request: RequestInit) => Response | Promise<Response>;

async function explained(
  respond: Respond,
  { pageUrl = "https://shop.example/o", proxyUrl = "https://chat.example/" } = {},
) {
  const info = vi.spyOn(console, "info").mockReturnValue();
  await explainConfigFailure({
    proxyUrl,
    pageUrl,
    projectId: "shop",
    fetch: async (_, request = {}) => respond(request),
    signal: new AbortController().signal,
  });
  const told = info.mock.calls.flat();
  info.mockRestore();
  return told;
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
  ["an unknown project", () => problem("not_found", 404), 'has no project "shop" (projectId)'],
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

it("names an optimiser if the script has lost its own address", async () => {
  const respond: Respond = () => new Response("<h1>404</h1>", { status: 404 });
  const told = await explained(respond, { proxyUrl: "https://shop.example/" });
  expect(told).toEqual([expect.stringContaining("an optimiser may have moved or joined the script")]);
});

it("says nothing if the config loads by now", async () => {
  expect(await explained(() => Response.json({}))).toEqual([]);
});
