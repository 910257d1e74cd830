import type { NitkaEvents, WidgetOptions } from "../options.ts";

/** The widget itself, once it has been rendered into its place. */
export interface App {
  send(text: string): void;
  newThread(): void;
  selectThread(threadId: string): void;
  open(): void;
  close(): void;
}

/** What the element gives the app to live in. */
export interface AppPlace {
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
  /** Resolves when the styles are there: before, nothing is rendered. */
  readonly styled: Promise<void>;
  readonly options: WidgetOptions;
  /** Tells the host page. */
  readonly emit: <E extends keyof NitkaEvents>(event: E, detail: NitkaEvents[E]) => unknown;
  /** Aborted when the widget is taken away: everything that it began ends then. */
  readonly signal: AbortSignal;
}

/** Resolves after the first render. */
export type CreateApp = (place: AppPlace) => Promise<App>;
