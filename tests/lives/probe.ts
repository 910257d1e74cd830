/** The second minute. Whatever has happened, every instance writes answers, shows and stops the other's, and its timers run. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Thread } from "@nitka/protocol";
import type { Storage } from "@nitka/server";
import { timings } from "./instance.ts";
import type { Instance } from "./instance.ts";
import type { ScriptedUpstream } from "./scripted-upstream.ts";
import { pageTool } from "./visitor.ts";
import type { Visitor } from "./visitor.ts";

/** Longer than the longest backoff on a slow and busy machine. A condition that holds earlier is found earlier. */
const PATIENCE_MS = 60_000;

/** The project of probes. Its tool calls wait for their visitor as long as needed, so that a lost answer is not hidden. */
export const PATIENT = "patient";

export interface ProbeOptions {
  readonly instances: readonly Instance[];
  readonly upstream: ScriptedUpstream;
  readonly truth: Storage;
  /** @param projectId the visitor's project */
  readonly newVisitor: (name: string, projectId: string) => Visitor;
  readonly newTag: () => string;
  readonly wrong: (text: string) => void;
}

export async function probe(options: ProbeOptions): Promise<void> {
  await Promise.all(options.instances.map((instance) => probeInstance(instance, options)));
}

async function probeInstance(
  instance: Instance,
  { instances, upstream, truth, newVisitor, newTag, wrong }: ProbeOptions,
): Promise<void> {
  const visitor = newVisitor("probe", PATIENT);
  const other = instances.find((one) => one !== instance) ?? instance;
  const beats = instance.storage.count("runs.heartbeat");
  await visitor.json(`/api/projects/${PATIENT}/config`, { on: instance });
  const thread = await visitor.json<Thread>("threads", { method: "POST", json: {}, on: instance });
  if (!thread) return wrong(`${instance.name} makes no thread any more`);
  const run = (what: string) => `threads/${thread.threadId}/run/${what}`;
  await probeReading();
  await probeCancel();
  await probeCall();
  if (!(await within(() => instance.storage.count("runs.heartbeat") > beats + 1)))
    wrong(`${instance.name} has no pulse`);
  await visitor.status("visitor", { method: "DELETE", on: instance });

  async function ask(what: string): Promise<{ readonly tag: string; readonly text: () => string } | undefined> {
    const tag = newTag();
    const messages = [{ id: tag, role: "user", content: `${tag} ${what}`, parentId: null }];
    const json = { messages, tools: [pageTool] };
    const asked = await visitor.request(`${run("stream")}?cursor=1`, { method: "POST", json, on: instance });
    if (asked?.status === 200) return { tag, text: follow(asked).text };
    wrong(`${instance.name} responds to «${what}» with ${asked?.status}`);
    return undefined;
  }

  /** An answer is shown while it is being written, here and at the other instance, is stored, and ends everywhere. */
  async function probeReading(): Promise<void> {
    const here = await ask("hold 3 0");
    if (!here) return;
    if (!(await within(() => isWritten(here.text())))) wrong(`${instance.name} does not show what it writes`);
    const runId = /^id: (.*):/m.exec(here.text())?.[1] ?? "";
    const log = async () => (await truth.events.read(runId, 0)).map(({ data }) => data).join("\n");
    if (!(await within(async () => isWritten(await log())))) wrong(`${instance.name} does not store what it writes`);
    const joined = await visitor.request(run("stream"), { on: other });
    if (joined?.status !== 200) wrong(`${other.name} lets nobody join: ${joined?.status}`);
    const there = joined?.status === 200 ? follow(joined) : here;
    if (!(await within(() => isWritten(there.text()))))
      wrong(`${other.name} does not show what ${instance.name} writes`);
    upstream.release(here.tag);
    const isOver = (text: string) => text.includes("[DONE]");
    if (!(await within(() => isOver(here.text())))) wrong(`${instance.name} does not end its answer`);
    if (!(await within(() => isOver(there.text())))) wrong(`${other.name} shows no end`);
    if (!here.text().includes('"finish"')) wrong(`${instance.name} does not complete its answer: ${here.text()}`);
  }

  /** The visitor stops an answer at the other instance. */
  async function probeCancel(): Promise<void> {
    const held = await ask("hold 3 0");
    if (!held) return;
    if (!(await within(() => isWritten(held.text())))) wrong(`${instance.name} writes no second answer`);
    const status = await visitor.status(run("cancel"), { method: "POST", json: {}, on: other });
    if (status !== 200) wrong(`${other.name} cancels an answer of ${instance.name} with ${status}`);
    if (!(await within(() => held.text().includes('"abort"'))))
      wrong(`${instance.name} does not end what is cancelled`);
    upstream.release(held.tag);
  }

  /** The visitor's page runs a tool, and answers at the other instance. */
  async function probeCall(): Promise<void> {
    const asking = await ask("page 1 0");
    if (!asking) return;
    const called = () => /"data-tool-request".*?"toolCallId":"([^"]+)"/.exec(asking.text())?.[1];
    if (!(await within(() => called() !== undefined))) wrong(`${instance.name} does not ask for a tool of the page`);
    const json = { toolCallId: called() ?? "", output: "done" };
    const status = await visitor.status(run("tool"), { method: "POST", json, on: other });
    if (status !== 200) wrong(`${other.name} takes the result of a call of ${instance.name} with ${status}`);
    if (!(await within(() => asking.text().includes('"finish"'))))
      wrong(`${instance.name} does not go on with the result that ${other.name} has taken`);
  }
}

/** Whether the model's third word has arrived. */
function isWritten(text: string): boolean {
  return text.includes(`.2 "`) || text.includes(`.2 \\"`);
}

function follow(response: Response): { readonly text: () => string } {
  const reader = response.body?.getReader();
  const utf8 = new TextDecoder();
  let text = "";
  void (async () => {
    for (;;) {
      const next = await reader?.read();
      if (!next || next.done) return;
      text += utf8.decode(next.value, { stream: true });
    }
  })().catch(() => undefined);
  return { text: () => text };
}

async function within(check: () => boolean | Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    if (await check()) return true;
    if (performance.now() > deadline) return false;
    await sleep(timings.heartbeatMs / 10);
  }
}
