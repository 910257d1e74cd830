/** The life of a widget, determined by a seed: the actions of its host, its visitor and its network, and the faults. */
import { createScriptedBackend } from "./scripted-backend.ts";
import type { ScriptedClock } from "./scripted-clock.ts";
import { createScriptedNetwork } from "./scripted-network.ts";
import { openScriptedPage } from "./scripted-page.ts";
import type { VisitorApp } from "./scripted-page.ts";
import { createScriptedRandom } from "./scripted-random.ts";
import type { Asked, Sent } from "./scripted-steps.ts";
import { hostCommands, scriptedPageContext, scriptedTools, visitorActions } from "./scripted-steps.ts";
import { disordered, hidden, judgeAsked, judgeSent, misnamed, unsettled, untrue } from "./scripted-verdict.ts";

export interface Life {
  /** The steps that were made, in order. */
  readonly steps: readonly string[];
  /** The errors that were found. */
  readonly wrongs: readonly string[];
}

/** Longer than any delay: a request with its retries, a silent stream, a slow backend. */
const LONG_MS = 15 * 60_000;

/** Longer than a stopped run may take to end (`CANCEL_GRACE_MS`). */
const STOP_MS = 3500;

export async function runLife(seed: number, clock: ScriptedClock): Promise<Life> {
  const random = createScriptedRandom(seed);
  const steps: string[] = [];
  const wrongs: string[] = [];
  const isPlain = random.chance(0.3);
  const features = isPlain
    ? {}
    : {
        resume: true,
        cancel: true,
        upload: random.chance(0.5),
        branch: true,
        clientTools: true,
        approvals: true,
        pageContext: true,
      };
  const faults = random.pick([0, 0.1, 0.3]);
  const backend = createScriptedBackend({
    clock,
    random,
    features,
    faults,
    threads: random.below(4),
    isEdit: (text) => text.includes("«edit"),
  });
  const tokens = random.pick(["none", "none", "text", "function"]);
  let token = 1;
  const network = createScriptedNetwork({
    backend: backend.transport,
    clock,
    random,
    faults,
    note: (text) => steps.push(`  ${text}`),
    config: () => ({ features, ...(random.chance(0.5) && { attachments: {} }) }),
    accepts: (given) => given === (tokens === "none" ? null : `Bearer v${token}`),
  });
  const upload = backend.transport.uploadAttachment;
  const page = openScriptedPage({
    network,
    clock,
    options: {
      layout: random.pick(["inline", "launcher"]),
      routing: "none",
      tools: scriptedTools({ clock, random, onRun: backend.onToolRun }),
      pageContext: scriptedPageContext({ clock, random }),
      ...(tokens === "text" && { visitorToken: "v1" }),
      ...(tokens === "function" && { visitorToken: async () => `v${token}` }),
    },
    upload:
      upload &&
      (async (threadId, file, options) => {
        await new Promise<void>((resolve) => void clock.after(random.pick([0, 50, 5000]), resolve));
        options.signal.throwIfAborted();
        if (random.chance(faults)) throw new TypeError("network error");
        return upload(threadId, file, options);
      }),
  });
  const { handle } = page;
  const sent: Sent[] = [];
  const asked: Asked[] = [];
  const pending = new Set<string>();
  let place: Promise<string | undefined> = Promise.resolve(undefined);
  /** Only the host acts, and threads open only by its commands. */
  const isHostAlone = random.chance(0.4);
  let isDestroyed = false;
  let tags = 0;
  const newTag = (who: string) => `«${who}${(tags += 1)}»`;

  const watch = async <T>(name: string, promise: Promise<T>): Promise<T | Error> => {
    const key = `${name} #${steps.length}`;
    pending.add(key);
    const outcome = await promise.catch((error: unknown) =>
      error instanceof Error ? error : new Error(String(error)),
    );
    pending.delete(key);
    if (isDestroyed && !(outcome instanceof Error) && name.startsWith("late"))
      wrongs.push(`${key} was done after destroy`);
    return outcome;
  };
  void watch("ready", handle.ready);

  const host = hostCommands({ random, handle, backend, newTag, sent, place: () => place });
  /** Stopping must not wait for a backend that does not respond. */
  const stopInTime = (app: VisitorApp, threadId: string) => {
    const stopped = app.actions.stop(threadId);
    const clear = clock.after(STOP_MS, () => {
      if (page.app() === app) wrongs.push(`stopping ${threadId} took too long`);
    });
    void stopped.then(clear);
  };
  const visitor = visitorActions({ random, newTag, asked, stopInTime });

  const count = 6 + random.below(20);
  const lastStep = random.chance(0.3) ? random.below(count) : count;
  for (let step = 0; step < count; step += 1) {
    const what = random.below(isHostAlone ? 60 : 100);
    if (step === lastStep) {
      steps.push("destroy");
      handle.destroy();
      isDestroyed = true;
      const { told } = page;
      const [before, calls] = [told.length, network.calls()];
      for (let late = 0; late < 4; late += 1) {
        const { name, promise } = host();
        if (promise) void watch(`late ${name}`, promise);
      }
      await clock.pass(LONG_MS);
      for (const event of told.slice(before)) wrongs.push(`told after destroy: ${event}`);
      if (network.calls() !== calls) wrongs.push(`${network.calls() - calls} calls after destroy`);
      break;
    } else if (what < 50) {
      const { name, promise, opens } = host();
      steps.push(`host ${name}`);
      // Sometimes the host stops the answer while it is being written.
      if (name.startsWith("send") && random.chance(0.4)) {
        const ms = random.pick([30, 60, 90, 430]);
        steps.push(`and stop after ${ms} ms`);
        clock.after(ms, () => void watch("stop", handle.stop()));
      }
      const outcome = promise && watch(name, promise);
      if (outcome && opens) {
        const before = place;
        place = outcome.then((result) => (result instanceof Error ? before : opens(result)));
      }
    } else if (what < 60) {
      if (tokens === "none") continue;
      token += random.below(2);
      steps.push(`token v${token}`);
      if (tokens === "text") Reflect.set(handle.element, "visitorToken", `v${token}`);
    } else if (what < 63) {
      const parent = handle.element.parentElement;
      steps.push(parent ? "removed" : "put back");
      if (parent) handle.element.remove();
      else document.body.append(handle.element);
    } else if (what < 65) {
      steps.push("restarted");
      handle.element.setAttribute("locale", random.pick(["ru", "en"]));
    } else {
      const app = page.app();
      if (!app) continue;
      steps.push(`visitor ${visitor(app)}`);
    }
    const ms = random.pick(["at once", "at once", 0, 1, 30, 700, 5000, 60_000] as const);
    if (ms !== "at once") {
      steps.push(`${ms} ms`);
      await clock.pass(ms);
    }
  }

  network.calm();
  backend.calm();
  if (tokens === "text") Reflect.set(handle.element, "visitorToken", `v${token}`);
  if (!isDestroyed && !handle.element.isConnected) document.body.append(handle.element);
  page.app()?.actions.setOffline(false);
  page.app()?.actions.reconnect();
  await clock.pass(LONG_MS);
  // The last question of the element's earlier life may have reached the backend after this life's history was loaded.
  const { activeId } = page.app()?.store.get().threads ?? {};
  if (activeId !== undefined) void page.app()?.actions.selectThread(activeId);
  await clock.pass(LONG_MS);
  for (const name of pending) wrongs.push(`never settled: ${name}`);
  wrongs.push(...page.reported.map((error) => `reported: ${error}`), ...backend.wrongs);
  const app = page.app();
  if (app) wrongs.push(...unsettled(app.store.get()), ...untrue(app.store.get(), backend, isPlain));
  if (app && !isPlain) wrongs.push(...hidden(app.store.get(), backend));
  if (app && faults === 0) wrongs.push(...misnamed(app.store.get(), backend));
  if (isDestroyed && app) wrongs.push("a widget lives after destroy");
  for (const question of sent) wrongs.push(...(await judgeSent(question, backend, network.posted, isHostAlone)));
  wrongs.push(...disordered(sent, backend));
  for (const question of asked) wrongs.push(...judgeAsked(question, app, backend));
  if (!isDestroyed) {
    const { told } = page;
    handle.destroy();
    const before = told.length;
    await clock.pass(LONG_MS);
    for (const event of told.slice(before)) wrongs.push(`told after destroy: ${event}`);
  }
  return { steps: [`${isPlain ? "plain" : "full"}, faults ${faults}, token ${tokens}`, ...steps], wrongs };
}
