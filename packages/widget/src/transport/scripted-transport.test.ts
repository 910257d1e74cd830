// @vitest-environment node
import { createScriptedTransport } from "./scripted-transport.ts";
import { describeTransport } from "./transport.contract.ts";

const everything = { resume: true, cancel: true, upload: true, branch: true };

describeTransport("the scripted transport", (script) => {
  let ids = 0;
  const newId = () => `new${(ids += 1)}`;
  const now = () => new Date(2026, 10, 21, 12);
  const transport = createScriptedTransport({ script, features: everything, now, newId });
  return Promise.resolve({ transport, close: () => Promise.resolve() });
});
