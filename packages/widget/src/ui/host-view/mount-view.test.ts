import { afterEach, describe, expect, it, vi } from "vitest";
import { mountView } from "./mount-view.ts";
import type { NitkaRenderer } from "./renderers.ts";

const host = document.createElement("div");
const api = {
  threadId: "t1",
  messageId: "m1",
  locale: "ru",
  colorScheme: "light",
  send: () => Promise.resolve({ threadId: "t1", messageId: "q1" }),
  answer: () => Promise.resolve(),
} as const;

afterEach(() => host.replaceChildren());

function mount(render: NitkaRenderer<string>) {
  const failures: unknown[] = [];
  const view = mountView({ host, slot: "s1", render, part: "a", api, onError: (error) => failures.push(error) });
  return {
    ...view,
    failures,
    shown: () => [...host.children].map(({ slot, textContent }) => `${slot} ${textContent}`),
  };
}

/** A renderer whose calls wait for the test. */
function gated() {
  const calls: { readonly part: string; readonly done: (result?: () => unknown) => void }[] = [];
  const render: NitkaRenderer<string> = (container, part) => {
    container.textContent = part;
    const { promise, resolve } = Promise.withResolvers<(() => unknown) | undefined>();
    calls.push({ part, done: resolve });
    return promise;
  };
  return { render, calls };
}

describe("a view of the host's own", () => {
  it("is drawn in a container in its slot, anew for each part, and leaves nothing at its end", () => {
    const { update, end, shown } = mount((container, part) => container.append(part));
    expect(shown()).toEqual(["s1 a"]);
    const [first] = host.children;
    update("b");
    expect(shown()).toEqual(["s1 b"]);
    expect(host.firstElementChild).not.toBe(first);
    end();
    expect(shown()).toEqual([]);
  });

  it("is updated where it can be, in the same container", () => {
    const { update, shown } = mount((container, part) => {
      container.textContent = part;
      return { update: (next) => void (container.textContent = next) };
    });
    const [first] = host.children;
    update("a");
    update("b");
    expect(shown()).toEqual(["s1 b"]);
    expect(host.firstElementChild).toBe(first);
  });

  it("that is drawn by a promise gets the last of the parts that arrived meanwhile", async () => {
    const { render, calls } = gated();
    const { update } = mount(render);
    update("b");
    update("c");
    expect(calls.map(({ part }) => part)).toEqual(["a"]);
    calls[0]?.done();
    await expect.poll(() => calls.map(({ part }) => part)).toEqual(["a", "c"]);
  });

  it("whose promise settles after its end is ended then", async () => {
    const { render, calls } = gated();
    const { end, shown, failures } = mount(render);
    end();
    expect(shown()).toEqual([]);
    const ended = vi.fn<() => void>();
    calls[0]?.done(ended);
    await expect.poll(() => ended).toHaveBeenCalledTimes(1);
    expect(failures).toEqual([]);
  });

  it("gets no second update before the first has settled", async () => {
    const first = Promise.withResolvers<void>();
    const updates: string[] = [];
    const { update } = mount(() => ({
      update(part) {
        updates.push(part);
        return part === "b" ? first.promise : undefined;
      },
    }));
    update("b");
    update("c");
    update("d");
    expect(updates).toEqual(["b"]);
    first.resolve();
    await expect.poll(() => updates).toEqual(["b", "d"]);
  });

  it("fails once, although its end fails as well, and is called no more", () => {
    const failure = new Error("сломан");
    const { update, end, shown, failures } = mount(() => ({
      update() {
        throw failure;
      },
      destroy() {
        throw new Error("ещё раз");
      },
    }));
    update("b");
    update("c");
    end();
    expect(failures).toEqual([failure]);
    expect(shown()).toEqual([]);
  });

  it("fails when its renderer returns something else", () => {
    const { failures, shown } = mount((() => "<b>a</b>") as unknown as NitkaRenderer<string>);
    expect(failures).toEqual([
      new TypeError("it must return nothing, a function or { update, destroy }, not a string."),
    ]);
    expect(shown()).toEqual([]);
  });
});
