import { readFileSync, readdirSync } from "node:fs";
import { Validator } from "@cfworker/json-schema";
import type { Schema } from "@cfworker/json-schema";
import { readStream } from "@nitka/protocol/read-stream";
import { serializeEvent } from "@nitka/protocol/serialize-event";
import { expect, it } from "vitest";
import { Client, serverOpener } from "../contract/server.contract.ts";

const open = serverOpener();

interface OpenApi {
  readonly components: { readonly schemas: { readonly StreamEvent: { readonly oneOf: readonly Schema[] } } };
}

async function servedDocument(): Promise<OpenApi> {
  const { server } = await open();
  return (await (await new Client(server).get("/openapi.json")).json()) as OpenApi;
}

it("the document in docs equals the one that a server serves; `vitest -u` writes it", async () => {
  const text = `${JSON.stringify(await servedDocument(), undefined, 2)}\n`;
  await expect(text).toMatchFileSnapshot("../../../../docs/openapi.json");
});

it("both ways to a stream have the schema of its events", async () => {
  const text = JSON.stringify(await servedDocument());
  const count = text.split('"text/event-stream":{"schema":{"$ref":"#/components/schemas/StreamEvent"}}').length - 1;
  // POST and GET, with and without the project in the path.
  expect(count).toBe(4);
});

/** The number of schema forms that an event matches. */
async function formCounter(): Promise<(json: string) => number> {
  const { oneOf } = (await servedDocument()).components.schemas.StreamEvent;
  const validators = oneOf.map((form) => new Validator(form));
  return (json) => validators.filter((validator) => validator.validate(JSON.parse(json)).valid).length;
}

it("each recorded event, as our server writes it, matches one form of the schema", async () => {
  const formsOf = await formCounter();
  const folder = new URL("../../../protocol/fixtures/", import.meta.url);
  const types = new Set<string>();
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".sse"))) {
    const body = new Response(readFileSync(new URL(name, folder))).body as ReadableStream<Uint8Array>;
    const events = readStream(body);
    for (let next = await events.next(); !next.done; next = await events.next()) {
      const json = serializeEvent(next.value.event);
      // Metadata of another backend, which ours never writes.
      if (json.includes('"providerMetadata":"none"')) continue;
      expect([json, formsOf(json)]).toEqual([json, 1]);
      types.add(next.value.event.type);
    }
  }
  expect(types.size).toBeGreaterThan(25);
});

it("an event without a required field matches no form of the schema, and the host's own content has its own form", async () => {
  const formsOf = await formCounter();
  const wrong = [
    { type: "text-delta", id: "t" },
    { type: "data-title", title: "Погода" },
    { type: "data-error", data: { code: "failed" } },
    { type: "no-such-event" },
  ];
  expect(wrong.map((event) => formsOf(JSON.stringify(event)))).toEqual(wrong.map(() => 0));
  expect(formsOf('{"type":"data-titles","data":["Погода"]}')).toBe(1);
});
