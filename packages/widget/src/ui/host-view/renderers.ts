/** The host's own views of what answers contain: the option `renderers`. */
import type { SentQuestion } from "../../actions/actions.ts";
import type { Locale } from "../../i18n/choose-locale.ts";

/**
 * Renderers by what they show: `tool:<name>` a tool call, `data:<name>` content of the host's own kind, `code:<language>` a
 * block of code. Languages are compared without case.
 */
export interface NitkaRenderers {
  readonly [name: `tool:${string}`]: NitkaRenderer<RenderedTool>;
  readonly [name: `data:${string}`]: NitkaRenderer<RenderedData>;
  readonly [name: `code:${string}`]: NitkaRenderer<RenderedCode>;
}

/**
 * Shows a part of an answer in a container. The container is an empty `div` in the page itself, a child of `<nitka-chat>`,
 * and stands in the part's place.
 *
 * What it returns, or what its promise resolves to, says how the view goes on and how it ends. Without `update` it ends and
 * the renderer is called anew when the part or the colour scheme changes.
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

/** A view of the host's that is updated in place. */
export interface RenderedView<P> {
  /** The part has changed, or the colour scheme. A promise holds the next call back until it settles. */
  update?(part: P): unknown;
  /** The view ends: its container is removed after that. */
  destroy?(): unknown;
}

/** A tool call, as a renderer gets it. */
export interface RenderedTool {
  readonly toolName: string;
  readonly toolCallId: string;
  /** `undefined` while they are streamed. */
  readonly args: unknown;
  /** `undefined` until the tool has returned. Of a failed call, the sentence that says why. */
  readonly result: unknown;
  /**
   * `streaming`: the arguments arrive. `waiting`: the visitor has to allow the call, or to answer it. `denied`: the visitor
   * has not allowed it.
   */
  readonly state: "streaming" | "waiting" | "running" | "done" | "failed" | "denied";
}

/** Content of the host's own kind, as a renderer gets it. */
export interface RenderedData {
  readonly name: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

/** A block of code, as a renderer gets it. */
export interface RenderedCode {
  readonly language: string;
  /** What has been written so far. */
  readonly text: string;
  /** Whether the block is whole. */
  readonly complete: boolean;
}

/** What a renderer may ask of the widget. */
export interface RendererApi {
  readonly threadId: string;
  readonly messageId: string;
  readonly locale: Locale;
  /** The scheme in which the widget is shown now. */
  readonly colorScheme: "light" | "dark";
  /** Sends a question in this thread, as `send` of the handle does. */
  send(text: string): Promise<SentQuestion>;
  /**
   * Answers the tool call of a page's tool without `execute`. The output is JSON. Resolves once the backend has it; rejects
   * with the reason when the call has an answer already or nobody waits for it any more.
   */
  answer(output: unknown): Promise<void>;
}
