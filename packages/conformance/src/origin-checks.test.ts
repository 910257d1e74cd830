import { describe, expect, it } from "vitest";
import { changes, changesHeaders, faultFinder, isStream } from "./fault-finder.contract.ts";
import type { Fault } from "./test-backend.contract.ts";

const { differences, failures } = faultFinder();
const section = "Pages of other origins";
/** The origin that the test backend's project allows. */
const page = "https://shop.example";
const isNamed = "the config names the api base, so that requests of a page of another origin come here";
const isReadable = "the page may read responses, errors and the stream, with the visitor's cookie";
const isLetThrough = "a preflight allows the widget's headers";
const withoutApiBase = changes(/config$/, (text) => text.replace('"apiBase":"./",', ""));

const faults: readonly (readonly [what: string, fault: Fault, found: readonly string[]])[] = [
  ["a config without an api base", withoutApiBase, [isNamed]],
  [
    "responses for every origin, without credentials",
    changesHeaders(/./, (headers) => {
      headers.set("access-control-allow-origin", "*");
      headers.delete("access-control-allow-credentials");
    }),
    [isReadable, isLetThrough],
  ],
  [
    "errors that the page may not read",
    changesHeaders(/./, (headers, status) => {
      if (status === 404) headers.delete("access-control-allow-origin");
    }),
    [isReadable],
  ],
  [
    "a stream that the page may not read",
    changesHeaders(isStream, (headers) => headers.delete("access-control-allow-credentials")),
    [isReadable],
  ],
  [
    "a preflight that allows all headers with a star",
    changesHeaders(/^OPTIONS/, (headers) => headers.set("access-control-allow-headers", "*")),
    [isLetThrough],
  ],
  [
    "a preflight that leaves out a method",
    changesHeaders(/^OPTIONS .*visitor$/, (headers) => headers.set("access-control-allow-methods", "GET, POST")),
    [isLetThrough],
  ],
  [
    "no answer to preflights",
    async (request, respond) => (request.method === "OPTIONS" ? new Response(null, { status: 405 }) : respond(request)),
    [isLetThrough],
  ],
];

describe("from a page of another origin a fault is found by its check:", () => {
  it("none in our server", async () => {
    expect(await differences(undefined, [section], { page })).toEqual([]);
  });

  it.each(faults)("%s", async (_, fault, found) => {
    expect(await failures(fault, [section], { page })).toEqual(found);
  });
});

it("without a page a config without an API base gets advice, and the other checks say what they need", async () => {
  const outcomes = await differences(withoutApiBase, [section]);
  expect(outcomes.map((one) => [one.status, "got" in one ? one.got : "reason" in one && one.reason])).toEqual([
    ["advised", "no apiBase: the widget sends all other requests to the origin of its page"],
    ["skipped", "it needs the origin of a page: --page https://shop.example"],
    ["skipped", "it needs the origin of a page: --page https://shop.example"],
  ]);
});
