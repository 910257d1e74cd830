import { describe, expect, it } from "vitest";
import { createByteBudget } from "../services/byte-budget.ts";
import { readJson } from "./read-json.ts";

const budget = createByteBudget(100_000_000);

async function read(body: string): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  return (await readJson(new Request("http://a/", { method: "POST", headers, body }), true, budget.reserve())).value;
}

describe("a JSON body", () => {
  it("may be nearly all file", async () => {
    const body = { url: `data:image/png;base64,${"A".repeat(11_900_000)}` };
    expect(await read(JSON.stringify(body))).toEqual(body);
  });

  it("may have any number of brackets, commas and quotation marks in its texts", async () => {
    const body = { text: `${'[{,\\"'.repeat(5_000)}\\` };
    expect(await read(JSON.stringify(body))).toEqual(body);
  });

  it.each([
    ["more levels than any request needs", "[".repeat(33) + "]".repeat(33), "The body nests deeper than 32 levels."],
    ["more values than any request needs", `[{}${",{}".repeat(2_001)}]`, "The body holds more than 2000 values."],
  ])("is refused before it is parsed when it has %s", async (_, body, sentence) => {
    await expect(read(body)).rejects.toThrow(sentence);
  });
});
