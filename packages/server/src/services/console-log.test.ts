import { afterEach, expect, it, vi } from "vitest";
import { createChatServer } from "../create-chat-server.ts";
import { createScriptedModel, saying } from "../model/testing/scripted-model.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** A request without an address, which causes a warning, and the resulting console output. */
async function consoleOf(options: { readonly log?: false }) {
  const [warn, info] = [vi.spyOn(console, "warn"), vi.spyOn(console, "info")];
  for (const spy of [warn, info]) spy.mockReturnValue();
  const storage = await openSqliteStorage({ path: ":memory:" });
  const models = [createScriptedModel({ script: saying("Да") })];
  const secret = "a secret of sixteen letters";
  const server = createChatServer({ storage, projects: { default: { models } }, secret, ...options });
  await server.fetch(new Request("http://localhost/api/debug/threads"));
  await server.close();
  await storage.close();
  expect(info).not.toHaveBeenCalled();
  return warn.mock.calls;
}

it("A server without a log option warns on the console, one line per warning", async () => {
  expect(await consoleOf({})).toEqual([[expect.stringMatching(/^nitka: a request has no client address: [^\n]+$/)]]);
});

it("A server whose log is false is silent", async () => {
  expect(await consoleOf({ log: false })).toEqual([]);
});
