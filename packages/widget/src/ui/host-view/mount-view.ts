import type { NitkaRenderer, RenderedView, RendererApi } from "./renderers.ts";

export interface MountedView<P> {
  /** Shows another part. Does nothing if that part is already shown. */
  readonly update: (part: P) => void;
  /** Ends the view and removes its container. */
  readonly end: () => void;
}

interface MountOptions<P> {
  /** The element to which the container is added. */
  readonly host: Element;
  /** The name of the slot in which the container is shown. */
  readonly slot: string;
  readonly render: NitkaRenderer<P>;
  readonly part: P;
  readonly api: RendererApi;
  /** Called with the first error of the host's code, after the view has ended. */
  readonly onError: (error: unknown) => void;
}

/** `busy`: a promise of the host's code is pending. */
type Phase<P> =
  | { readonly type: "busy"; readonly view?: RenderedView<P> }
  | { readonly type: "idle"; readonly view: RenderedView<P> }
  | { readonly type: "ended" };

/**
 * Shows a part with the host's renderer, in a container of its own. If several parts arrive while a promise of the host's code
 * is pending, the last one is shown afterwards.
 *
 * @example
 * const view = mountView({ host, slot, render: (container, part) => void container.append(part.text), part: a, api, onError });
 * view.update(b); // without `update`: a new container, in which `render` is called with b
 * view.end(); // no container is left
 */
export function mountView<P>({ host, slot, render, part, api, onError }: MountOptions<P>): MountedView<P> {
  let phase: Phase<P> = { type: "ended" };
  let container: HTMLElement;
  let wanted = part;
  let shown = part;
  let hasFailed = false;

  const fail = (error: unknown) => {
    if (hasFailed) return;
    hasFailed = true;
    end();
    onError(error);
  };
  /** Calls the host's code and continues with its result. A promise is awaited; any other result continues at once. */
  const call = <T>(act: () => T, next: (result: Awaited<T>) => void) => {
    try {
      const result = act();
      if (isPromise(result)) void settle(result, next);
      else next(result as Awaited<T>);
    } catch (error) {
      fail(error);
    }
  };
  const settle = async <T>(promise: T, next: (result: Awaited<T>) => void) => {
    try {
      next(await promise);
    } catch (error) {
      fail(error);
    }
  };
  const destroy = (view: RenderedView<P>) =>
    call(
      () => view.destroy?.(),
      () => undefined,
    );
  const begin = () => {
    const own = document.createElement("div");
    const begun: Phase<P> = { type: "busy" };
    own.slot = slot;
    host.append(own);
    container = own;
    phase = begun;
    shown = wanted;
    call(
      () => render(own, wanted, api),
      (result) => {
        const view = readResult(result);
        // The view ended while its promise was pending.
        if (phase !== begun) return destroy(view);
        phase = { type: "idle", view };
        return showWanted();
      },
    );
  };
  const showWanted = () => {
    if (phase.type !== "idle" || shown === wanted) return;
    const { view } = phase;
    if (!view.update) {
      end();
      // The host's code may have failed while the view ended.
      if (!hasFailed) begin();
      return;
    }
    const updating: Phase<P> = { type: "busy", view };
    phase = updating;
    shown = wanted;
    call(
      () => view.update?.(wanted),
      () => {
        if (phase !== updating) return;
        phase = { type: "idle", view };
        showWanted();
      },
    );
  };
  const end = () => {
    if (phase.type === "ended") return;
    const { view } = phase;
    phase = { type: "ended" };
    if (view) destroy(view);
    container.remove();
  };

  begin();
  return {
    update(next) {
      wanted = next;
      showWanted();
    },
    end,
  };
}

function isPromise(value: unknown): boolean {
  return typeof Object(value).then === "function";
}

/** @throws TypeError if the result is not one of the allowed kinds */
function readResult<P>(result: unknown): RenderedView<P> {
  if (result === undefined || result === null) return {};
  if (typeof result === "function") return { destroy: () => result() };
  if (typeof result === "object") return result;
  throw new TypeError(`it must return nothing, a function or { update, destroy }, not a ${typeof result}.`);
}
