import { describe, expect, it } from "vitest";
import { createByteBudget } from "../services/files/byte-budget.ts";
import { readJson } from "./read-json.ts";

const budget = createByteBudget(100_000_000);

async function read(body: string, opaque: readonly string[] = []): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const request = new Request("http://a/", { method: "POST", headers, body });
  return (await readJson(request, true, { reservation: budget.reserve(), slowBodyMs: 20_000 }, opaque)).value;
}

describe("a JSON body", () => {
  it("may consist almost entirely of a file", async () => {
    const body = { url: `data:image/png;base64,${"A".repeat(11_900_000)}` };
    expect(await read(JSON.stringify(body))).toEqual(body);
  });

  it("may contain any number of brackets, commas and quotation marks in its texts", async () => {
    const body = { text: `${'[{,\\"'.repeat(5_000)}\\` };
    expect(await read(JSON.stringify(body))).toEqual(body);
  });

  it("may contain many values in the fields that no schema inspects, also in those of list items", async () => {
    const many = Array.from({ length: 2_500 }, () => 7);
    const body = { context: many, tools: [{ parameters: { many } }, { parameters: many }] };
    expect(await read(JSON.stringify(body), ["context", "tools.parameters"])).toEqual(body);
    for (const wrong of [{ tools: many }, { tools: [{ many }] }, { context: 1, parameters: many }]) {
      await expect(read(JSON.stringify(wrong), ["context", "tools.parameters"])).rejects.toThrow(
        "The body holds more than 2000 values beside context and tools.parameters.",
      );
    }
    const tooMany = JSON.stringify({ context: Array(100_002).fill(7) });
    await expect(read(tooMany, ["context"])).rejects.toThrow("The body holds more than 100000 values.");
  });

  it.each([
    ["more levels than any request needs", "[".repeat(33) + "]".repeat(33), "The body nests deeper than 32 levels."],
    ["more values than any request needs", `[{}${",{}".repeat(2_001)}]`, "The body holds more than 2000 values."],
  ])("is refused before it is parsed when it has %s", async (_, body, sentence) => {
    await expect(read(body)).rejects.toThrow(sentence);
  });
});
