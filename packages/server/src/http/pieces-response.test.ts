import { expect, it } from "vitest";
import { piecesResponse } from "./pieces-response.ts";

const head = { status: 200, headers: {} };

it("other requests get their turn while pieces come from a database in this process", async () => {
  let turns = 0;
  async function* slowly() {
    for (let n = 0; n < 50; n += 1) {
      const until = performance.now() + 2;
      while (performance.now() < until);
      yield `${n},`;
    }
  }
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const response = piecesResponse({}, head, slowly(), {
    slowReaderMs: 1_000,
    onError: (error) => expect.unreachable(String(error)),
  });
  expect((await response.text()).split(",")).toHaveLength(51);
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(10);
});
