import type { NitkaCommands, NitkaEvents, WidgetOptions } from "../options.ts";
import type { AskedConfig } from "../transport/ask-config.ts";
import type { VisitorToken } from "../transport/credential.ts";
import type { Stylesheets } from "./stylesheets.ts";

/** The widget itself, once it has been rendered into its place. */
export interface App {
  /** What the page may have done. Its code comes with the first command; rejects when that cannot be loaded. */
  commands(): Promise<NitkaCommands>;
  /** What had failed may succeed now: tries it again. */
  retry(): void;
}

/** What the element gives the app to live in. */
export interface AppPlace {
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
  readonly stylesheets: Stylesheets;
  readonly options: WidgetOptions;
  /** The option as it is now: a host may set another while the widget runs. */
  readonly visitorToken: () => VisitorToken | undefined;
  /** No other widget of this page began before and writes the same kind of address. */
  readonly ownsAddress: boolean;
  /** The button that has stood there alone: the app takes its place. */
  readonly launcher?: Launcher | undefined;
  /** Tells the host page. */
  readonly emit: <E extends keyof NitkaEvents>(event: E, detail: NitkaEvents[E]) => unknown;
  /** Aborted when the widget is taken away: everything that it began ends then. */
  readonly signal: AbortSignal;
}

/** Resolves after the first render. */
export type CreateApp = (place: AppPlace) => Promise<App>;

/** The launcher's button, alone on the page. */
export interface Launcher {
  readonly asked: AskedConfig;
  /** Resolves when somebody is about to use it. */
  readonly wanted: Promise<void>;
  /** Takes the button away. Tells whether it was pressed, and had the focus. */
  remove(): { readonly isPressed: boolean; readonly hasFocus: boolean };
}

/** Says in the widget's place that the browser is too old, and throws the same. */
export type RefuseBrowser = (place: Pick<AppPlace, "host" | "root" | "options">) => never;

export type ShowLauncher = (place: Pick<AppPlace, "root" | "options" | "signal" | "visitorToken">) => Promise<Launcher>;
