import type { NitkaCommands, NitkaEvents, WidgetOptions } from "../options.ts";
import type { PageOffer } from "../actions/tools/page-offer.ts";
import type { ConnectOptions } from "../transport/connect.ts";
import type { VisitorToken } from "../transport/credential.ts";
import type { NitkaRenderers } from "../ui/host-view/renderers.ts";
import type { ElementOptions } from "./element-options.ts";
import type { Stylesheets } from "./stylesheets.ts";

/** The widget itself, once it has been rendered into its place. */
export interface App {
  /** The commands of the handle. Their code loads with the first one; rejects if it cannot be loaded. */
  commands(): Promise<NitkaCommands>;
  /** The host has given another value of an option that needs no restart. */
  changed(option: keyof ElementOptions): void;
}

/** What the element gives the app. */
export interface AppPlace {
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
  readonly stylesheets: Stylesheets;
  readonly options: WidgetOptions;
  /** The present value of the option: the host may change it while the widget runs. */
  readonly visitorToken: () => VisitorToken | undefined;
  /** The same of what the page offers: tools and context to the assistant, views to the visitor. */
  readonly pageOffer: () => PageOffer & { readonly renderers?: NitkaRenderers | undefined };
  /** For the way to the backend, whose config has been requested. */
  readonly connectOptions: Omit<ConnectOptions, "storage">;
  /** Whether this is the first widget of the page that writes this kind of address. */
  readonly ownsAddress: boolean;
  /** The launcher's button that stood alone until now: the app replaces it. */
  readonly launcher?: Launcher | undefined;
  /** Ends this app and starts another one in its place: for another visitor. */
  readonly restart: () => void;
  /** Calls the host's callback and dispatches the element's event. */
  readonly emit: <E extends keyof NitkaEvents>(event: E, detail: NitkaEvents[E]) => unknown;
  /** Aborted when the widget is removed: everything that the app has started stops then. */
  readonly signal: AbortSignal;
}

/** Resolves after the first render. */
export type CreateApp = (place: AppPlace) => Promise<App>;

/** The launcher's button while it is alone on the page and the app is not loaded. */
export interface Launcher {
  /** Resolves when the visitor is about to use it: the pointer or the focus comes near, or it is pressed. */
  readonly wanted: Promise<void>;
  /** Removes the button. Returns whether it was pressed and whether it had the focus. */
  remove(): { readonly isPressed: boolean; readonly hasFocus: boolean };
}

/** Shows in the widget's place that the browser is too old, and throws an error that says the same. */
export type RefuseBrowser = (place: Pick<AppPlace, "host" | "root" | "options">) => never;

export type ShowLauncher = (
  place: Pick<AppPlace, "root" | "options" | "signal" | "connectOptions">,
) => Promise<Launcher>;

/** The script that defines the element, and how it loads the other parts. */
export interface ElementEnvironment {
  /** The script's own address: its origin is the backend's, where the host names no other. */
  readonly scriptUrl: string;
  /** Styles a shadow root. */
  readonly style: (root: ShadowRoot) => Stylesheets;
  /** Requests the config of a widget. */
  readonly connectOptions: (place: Pick<AppPlace, "options" | "signal" | "visitorToken">) => AppPlace["connectOptions"];
  readonly loadApp: () => Promise<{ readonly createApp: CreateApp }>;
  readonly loadLauncher: () => Promise<{ readonly showLauncher: ShowLauncher }>;
  readonly loadRefusal: () => Promise<{ readonly refuseBrowser: RefuseBrowser }>;
}
