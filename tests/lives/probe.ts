/** The second minute: whatever has happened, every instance writes answers, shows those of the other, and keeps its timers. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Thread } from "@nitka/protocol";
import type { Storage } from "@nitka/server";
import { timings } from "./instance.ts";
import type { Instance } from "./instance.ts";
import type { ScriptedUpstream } from "./scripted-upstream.ts";
import type { Visitor } from "./visitor.ts";

/** Longer than the longest backoff, on a busy machine. What holds sooner is found sooner. */
const PATIENCE_MS = 12_000;

export interface ProbeOptions {
  readonly instances: readonly Instance[];
  readonly upstream: ScriptedUpstream;
  readonly truth: Storage;
  readonly newVisitor: (name: string, on: Instance) => Visitor;
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
  const visitor = newVisitor("probe", instance);
  const beats = instance.storage.count("runs.heartbeat");
  await visitor.json("/api/projects/default/config", { on: instance });
  const thread = await visitor.json<Thread>("threads", { method: "POST", json: {}, on: instance });
  if (!thread) return wrong(`${instance.name} makes no thread any more`);
  const tag = newTag();
  const { threadId } = thread;
  const messages = [{ id: tag, role: "user", content: `${tag} hold 3 0`, parentId: null }];
  const path = `threads/${threadId}/run/stream`;
  const asked = await visitor.request(`${path}?cursor=1`, { method: "POST", json: { messages }, on: instance });
  if (asked?.status !== 200) return wrong(`${instance.name} responds to a question with ${asked?.status}`);
  const here = follow(asked);
  const isWritten = (text: string) => text.includes(`.2 "`) || text.includes(`.2 \\"`);
  if (!(await within(() => isWritten(here.text())))) wrong(`${instance.name} does not show what it writes`);
  const runId = /^id: (.*):/m.exec(here.text())?.[1] ?? "";
  const log = async () => (await truth.events.read(runId, 0)).map(({ data }) => data).join("\n");
  if (!(await within(async () => isWritten(await log())))) wrong(`${instance.name} does not store what it writes`);
  const others = instances.filter((other) => other !== instance);
  const there = await Promise.all(
    others.map(async (other) => {
      const joined = await visitor.request(path, { on: other });
      if (joined?.status !== 200) return wrong(`${other.name} lets nobody join: ${joined?.status}`);
      const reading = follow(joined);
      if (!(await within(() => isWritten(reading.text())))) {
        wrong(`${other.name} does not show what ${instance.name} writes`);
      }
      return { other, reading };
    }),
  );
  upstream.release(tag);
  const isOver = (text: string) => text.includes("[DONE]");
  if (!(await within(() => isOver(here.text())))) wrong(`${instance.name} does not end its answer`);
  for (const joined of there) {
    if (joined && !(await within(() => isOver(joined.reading.text())))) wrong(`${joined.other.name} shows no end`);
  }
  if (!here.text().includes('"finish"')) wrong(`${instance.name} does not complete its answer: ${here.text()}`);
  if (!(await within(() => instance.storage.count("runs.heartbeat") > beats + 1)))
    wrong(`${instance.name} has no pulse`);
  await visitor.status("visitor", { method: "DELETE", on: instance });
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
    await sleep((timings.heartbeatMs ?? 0) / 10);
  }
}
