import { expect, it } from "vitest";
import { requestJson } from "../transport/http-request.ts";
import { createScriptedTransport } from "../transport/scripted-transport.ts";
import { createScriptedNetwork } from "./scripted-network.ts";
import type { ScriptedRandom } from "./scripted-random.ts";

/** Makes a request over a scripted network, like the widget. */
function requestOver({ faults, isAccepted }: { readonly faults: number; readonly isAccepted: boolean }) {
  const random: ScriptedRandom = { below: () => 0, chance: (share) => share === 1, pick: ([first]) => first };
  const after = (_: number, callback: () => void) => {
    queueMicrotask(callback);
    return () => undefined;
  };
  const script = { threads: [], messages: {}, onRun: () => undefined };
  const network = createScriptedNetwork({
    backend: createScriptedTransport({ script, features: {}, now: () => new Date(0), newId: () => "new" }),
    config: () => ({}),
    clock: { now: () => 0, after, pass: () => Promise.resolve(), restore: () => undefined },
    random,
    faults,
    note: () => undefined,
    accepts: () => isAccepted,
  });
  const credential = { isBearer: true, token: () => Promise.resolve("v1") };
  const api = {
    base: "https://chat.example/api/debug",
    credentials: "include",
    signal: new AbortController().signal,
  } as const;
  return requestJson({ ...api, credential, fetch: network.fetch }, "threads");
}

it.each([
  { what: "a refusal on the way", faults: 1, isAccepted: true, status: 400 },
  { what: "a token that the backend refuses", faults: 0, isAccepted: false, status: 401 },
])("the widget reads the status of $what", async ({ status, ...network }) => {
  await expect(requestOver(network)).rejects.toMatchObject({ name: "HttpError", status });
});

it("the widget reads what the backend responds", async () => {
  expect(await requestOver({ faults: 0, isAccepted: true })).toEqual([]);
});
