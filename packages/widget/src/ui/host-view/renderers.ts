/** The host's own views of the content of answers: the option `renderers`. */
import type { SentQuestion } from "../../actions/actions.ts";
import type { Locale } from "../../i18n/choose-locale.ts";

/**
 * Renderers by the content that they show: `tool:<name>` a tool call, `data:<name>` the host's own content, `code:<language>` a
 * block of code. The case of languages is ignored.
 */
export interface NitkaRenderers {
  readonly [name: `tool:${string}`]: NitkaRenderer<RenderedTool>;
  readonly [name: `data:${string}`]: NitkaRenderer<RenderedData>;
  readonly [name: `code:${string}`]: NitkaRenderer<RenderedCode>;
}

/**
 * Shows a part of an answer in a container. The container is an empty `div` in the page itself, a child of `<nitka-chat>`, and
 * is shown in the part's place.
 *
 * The result, or the result of its promise, says how the view is updated and ended. Without `update` the view ends, and the
 * renderer is called again, when the part or the colour scheme changes.
 *
 * @example
 * const renderPrice: NitkaRenderer<RenderedTool> = (container, { state, result }) => {
 *   container.textContent = state === "done" ? `${result} ₽` : "…";
 * };
 */
export type NitkaRenderer<P> = (
  container: HTMLElement,
  part: P,
  api: RendererApi,
) => RendererResult<P> | Promise<RendererResult<P>>;

/** Nothing, a function that ends the view, or an object that updates and ends it. */
export type RendererResult<P> = void | (() => unknown) | RenderedView<P>;

/** A host's view that is updated in place. */
export interface RenderedView<P> {
  /** Called when the part or the colour scheme has changed. If it returns a promise, the next call waits for it. */
  update?(part: P): unknown;
  /** Called when the view ends, before its container is removed. */
  destroy?(): unknown;
}

/** A tool call, as renderers get it. */
export interface RenderedTool {
  readonly toolName: string;
  readonly toolCallId: string;
  /** `undefined` while the arguments are streamed. */
  readonly args: unknown;
  /** `undefined` until the tool has returned. For a failed call, the text of the error. */
  readonly result: unknown;
  /**
   * `streaming`: the arguments are arriving. `waiting`: the visitor has to allow or answer the call. `denied`: the visitor has
   * denied it.
   */
  readonly state: "streaming" | "waiting" | "running" | "done" | "failed" | "denied";
}

/** The host's own content, as renderers get it. */
export interface RenderedData {
  readonly name: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

/** A block of code, as renderers get it. */
export interface RenderedCode {
  readonly language: string;
  /** The text that has been written so far. */
  readonly text: string;
  /** Whether the block is complete. */
  readonly complete: boolean;
}

/** The widget's functions for renderers. */
export interface RendererApi {
  readonly threadId: string;
  readonly messageId: string;
  readonly locale: Locale;
  /** The widget's current colour scheme. */
  readonly colorScheme: "light" | "dark";
  /** Sends a question in this thread, like `send` of the handle. */
  send(text: string): Promise<SentQuestion>;
  /**
   * Answers the call of a page's tool without `execute`. The output is JSON. Resolves when the backend has accepted it. Rejects
   * with the reason if the call has an answer already or nothing waits for it any more.
   */
  answer(output: unknown): Promise<void>;
}
