import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { changes, faultFinder, isStream } from "./fault-finder.contract.ts";
import { sections } from "./run-conformance.ts";
import type { Fault } from "./test-backend.contract.ts";

const { differences, failures } = faultFinder();

it("our server fulfils every requirement that it announces", async () => {
  expect(await differences(undefined, [], { page: "https://shop.example" })).toEqual([
    {
      section: "Visitors",
      title: "the host's token takes over the threads of this browser's visitor",
      rule: expect.any(String) as unknown,
      status: "skipped",
      reason: "the config does not announce features.claim",
    },
  ]);
});

it("an answer that ends while the reader is away is not a fault", async () => {
  const endsFirst: Fault = async (request, respond) => {
    if (request.method === "GET" && request.url.endsWith("/run/stream")) {
      const { origin, pathname } = new URL(request.url);
      const headers = { cookie: request.headers.get("cookie") ?? "", "content-type": "application/json" };
      const cancel = `${origin}${pathname.replace(/stream$/, "cancel")}`;
      await respond(new Request(cancel, { method: "POST", headers, body: "{}" }));
    }
    return respond(request);
  };
  const [outcome, ...others] = await differences(endsFirst, ["Runs"]);
  expect(others).toEqual([]);
  expect(outcome).toMatchObject({
    title: "a reader that rejoins gets each later event once",
    status: "skipped",
    reason: "the answer had ended before the reader could rejoin",
  });
});

it("a response whose body never ends is a fault of its request, and does not block the checks for ever", async () => {
  // This wait ends at once, and all others last as long as they should.
  const responseMs = 3_600_017;
  let isEndless = false;
  const wait = globalThis.setTimeout;
  vi.stubGlobal("setTimeout", (callback: () => void, ms: number) =>
    wait(callback, isEndless && ms === responseMs ? 0 : ms),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const endless: Fault = async (request, respond) => {
    const response = await respond(request);
    isEndless = request.method === "GET" && request.url.endsWith("/debug/threads");
    if (!isEndless) return response;
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("[")) });
    return new Response(body, { headers: response.headers });
  };
  const [first] = await differences(endless, ["Threads"], { responseMs });
  expect(first).toMatchObject({
    status: "fails",
    request: expect.stringMatching(/^GET .*\/threads$/) as unknown,
    expected: "a whole response",
    got: "no end of its body within 3600.017 s",
  });
});

describe("a fault is found by its check:", () => {
  let owner: string | undefined;
  let stored = 0;
  const faults: readonly (readonly [what: string, section: string, fault: Fault, found: readonly string[]])[] = [
    [
      "an event: line in the stream",
      "Stream",
      changes(isStream, (text) => text.replaceAll("data: {", "event: message\ndata: {")),
      ["each line begins with data:, and blank lines separate the events"],
    ],
    [
      "no blank lines between the events",
      "Stream",
      changes(isStream, (text) => text.replace(/\n\n(?=data: \{"type":"text-delta)/, "\n")),
      [
        "each line begins with data:, and blank lines separate the events",
        "each event is a JSON object with a type",
        "each event has the fields that its type needs",
      ],
    ],
    [
      "no finish",
      "Stream",
      changes(isStream, (text) => text.replace(/data: \{"type":"finish".*\n\n/, "")),
      ["the answer ends with finish"],
    ],
    [
      "no [DONE]",
      "Stream",
      changes(isStream, (text) => text.replace("data: [DONE]\n\n", "")),
      ["data: [DONE] is the last line"],
    ],
    [
      "a delta after finish",
      "Stream",
      changes(isStream, (text) =>
        text.replace("data: [DONE]", 'data: {"type":"text-delta","delta":"!"}\n\ndata: [DONE]'),
      ),
      ["the events come in order: start, parts, one end"],
    ],
    [
      "a delta that the history does not have",
      "History",
      changes(/^GET .*\/messages$/, (text) => text.replace("и чашка", "чашка")),
      ["the answer's text is the text that was streamed"],
    ],
    [
      "another id in the history than in the stream",
      "History",
      changes(isStream, (text) => text.replace(/"messageId":"[^"]*"/, '"messageId":"another"')),
      ["the answer has the id that the stream gave it"],
    ],
    [
      "another title in the list than in the stream",
      "History",
      changes(isStream, (text) => text.replace("О чайниках", "О чашках")),
      ["a title that the stream brings is the title in the list"],
    ],
    [
      "a cancel that stops nothing",
      "Runs",
      async (request, respond) =>
        request.url.endsWith("/run/cancel") ? Response.json({ cancelled: true }) : respond(request),
      ["cancel ends the stream before the answer is whole"],
    ],
    [
      "a rejoined stream from its beginning",
      "Runs",
      async (request, respond) => {
        if (request.method !== "GET" || request.headers.get("last-event-id")?.includes("no-such-id") !== false) {
          return respond(request);
        }
        const headers = new Headers(request.headers);
        headers.delete("last-event-id");
        return respond(new Request(`${request.url}?cursor=1`, { headers }));
      },
      ["a reader that rejoins gets each later event once"],
    ],
    [
      "a history that every visitor may read",
      "Threads",
      async (request, respond) => {
        const response = await respond(request.clone());
        owner ??= request.headers.get("cookie") ?? undefined;
        if (response.status !== 404 || !request.url.endsWith("/messages") || owner === undefined) return response;
        return respond(new Request(request.url, { headers: { cookie: owner } }));
      },
      ["another visitor finds neither the thread nor its history"],
    ],
    [
      "an empty history in place of 404",
      "Threads",
      async (request, respond) => {
        const response = await respond(request);
        return response.status === 404 && request.url.endsWith("/messages") ? Response.json([]) : response;
      },
      [
        "an archived thread is gone from the list, and with it its history",
        "every operation on an unknown thread responds with 404",
        "another visitor finds neither the thread nor its history",
      ],
    ],
    [
      "every origin is allowed",
      "Config",
      async (request, respond) => {
        const response = await respond(request);
        const origin = request.headers.get("origin");
        if (origin === null) return response;
        const headers = new Headers(response.headers);
        headers.set("access-control-allow-origin", origin);
        headers.set("access-control-allow-credentials", "true");
        return new Response(response.body, { status: response.status, headers });
      },
      ["a site that is not allowed cannot read a visitor's conversations"],
    ],
    [
      "a rating that is not kept",
      "Feedback",
      async (request, respond) => {
        const isRating = request.url.endsWith("/feedback");
        const isKept = !isRating || !(await request.clone().text()).includes("чайник");
        return isKept ? respond(request) : new Response(null, { status: 204 });
      },
      ["a rating and its reason are listed with the answer, and null removes them"],
    ],
    [
      "a tool call that every page may claim",
      "The page and its tools",
      async (request, respond) => {
        const isClaim = request.url.endsWith("/run/tool") && (await request.clone().text()).includes('"claim"');
        return isClaim ? Response.json({}) : respond(request);
      },
      ["one page may claim a tool call, and every other page may not"],
    ],
    [
      "another output in the history than the page gave",
      "The page and its tools",
      changes(/^GET .*\/messages$/, (text) => text.replace('"result":{', '"result":{"more":1,')),
      ["the answer continues with the tool's output, and the history has it"],
    ],
    [
      "a second output that replaces the first",
      "The page and its tools",
      async (request, respond) => {
        const response = await respond(request.clone());
        const isLate = request.url.endsWith("/run/tool") && [404, 409].includes(response.status);
        const isOutput = (await request.clone().text()).includes('"late"');
        return isLate && isOutput ? Response.json({}) : response;
      },
      ["the first output of a tool call counts"],
    ],
    [
      "a question that is stored again when its answer is regenerated",
      "Runs",
      async (request, respond) => {
        const text = await request.clone().text();
        if (!text.includes("regenerate-message")) return respond(request);
        stored += 1;
        const body = text.replace('"id":"', `"id":"again-${stored}-`).replace("regenerate-message", "submit-message");
        return respond(new Request(request.url, { method: "POST", headers: request.headers, body }));
      },
      ["regenerating twice keeps the question once, and the list ends with the newest answer"],
    ],
    [
      "an id that is no visible ASCII",
      "History",
      changes(/^(GET .*messages|POST .*run\/stream)$/, (text) =>
        text.replaceAll(/(?<="messageId":")|(?<="id":")(?=[^"]+","role":"assistant")/g, "я"),
      ),
      ["a second question and its answer follow the first", "the ids that the backend gives are visible ASCII"],
    ],
    [
      "other bytes than those that were uploaded",
      "Attachments",
      changes(/^GET .*\/attachments\//, (text) => text.toUpperCase()),
      ["its address returns the same bytes, only to its visitor"],
    ],
  ];

  it.each(faults)("%s", async (_, section, fault, found) => {
    expect(await failures(fault, [section])).toEqual(found);
  });
});

it("a stream that is silent for longer than the widget waits is found", async () => {
  let isPaused = false;
  const pauses: Fault = async (request, respond) => {
    const response = await respond(request);
    if (isPaused || !response.body || response.headers.get("content-type")?.startsWith("text/event-stream") !== true) {
      return response;
    }
    isPaused = true;
    const late = new TransformStream<Uint8Array, Uint8Array>({
      start: () => new Promise((resolve) => setTimeout(resolve, 1500)),
    });
    return new Response(response.body.pipeThrough(late), response);
  };
  expect(await failures(pauses, ["Runs"], { silenceMs: 1000 })).toEqual([
    "no stream is silent for longer than the widget waits",
  ]);
});

it("a backend that accepts any id for a question gets advice", async () => {
  const takes: Fault = async (request, respond) => {
    const response = await respond(request);
    const isRefused = response.status === 422 && (await response.clone().text()).includes("visible ASCII");
    return isRefused ? new Response("data: [DONE]\n\n") : response;
  };
  const outcomes = await differences(takes, ["Runs"]);
  expect(outcomes.find(({ status }) => status === "advised")).toMatchObject({
    title: "a question with an invalid id is refused",
    got: "200",
  });
});

it("a failure contains the request, the sentence of the protocol, and the expected and the received response", async () => {
  const fault = changes(/^GET .*\/messages$/, (text) => text.replace("и чашка", "чашка"));
  const failure = (await differences(fault, ["History"])).find(({ status }) => status === "fails");
  expect(failure).toEqual({
    section: "History",
    title: "the answer's text is the text that was streamed",
    rule: "The history has what was streamed: the same text, tool calls and data.",
    status: "fails",
    request: expect.stringMatching(/^GET http:\/\/.*\/messages$/) as unknown,
    expected: "«Чайник и чашка.»",
    got: "«Чайник чашка.», which differs from character 8 on",
  });
});

it("each check quotes the documentation of the protocol", () => {
  const plain = (text: string) => text.replaceAll(/[\s|\\]+/g, " ");
  const docs = plain(readFileSync(new URL("../../../docs/protocol.md", import.meta.url), "utf8"));
  const rules = sections.flatMap(({ checks }) => checks.map(({ rule }) => plain(rule)));
  expect(rules.filter((rule) => !docs.includes(rule))).toEqual([]);
});
