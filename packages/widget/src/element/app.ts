import type { NitkaCommands, NitkaEvents, WidgetOptions } from "../options.ts";
import type { PageOffer } from "../actions/tools/page-offer.ts";
import type { ConnectOptions } from "../transport/connect.ts";
import type { VisitorToken } from "../transport/credential.ts";
import type { NitkaRenderers } from "../ui/host-view/renderers.ts";
import type { ElementOptions } from "./element-options.ts";
import type { Stylesheets } from "./stylesheets.ts";

/** A widget that has been rendered into its place. */
export interface App {
  /** The commands of the handle. Their code loads with the first command. Rejects if it cannot be loaded. */
  commands(): Promise<NitkaCommands>;
  /** Called when the host has changed an option that needs no restart. */
  changed(option: keyof ElementOptions): void;
}

/** What the element provides to the app. */
export interface AppPlace {
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
  readonly stylesheets: Stylesheets;
  readonly options: WidgetOptions;
  /** The current value of the option, which the host may change while the widget runs. */
  readonly visitorToken: () => VisitorToken | undefined;
  /** The current offer of the page: tools and context for the assistant, renderers for the visitor. */
  readonly pageOffer: () => PageOffer & { readonly renderers?: NitkaRenderers | undefined };
  /** For the connection to the backend. The config has already been requested. */
  readonly connectOptions: Omit<ConnectOptions, "storage">;
  /** Whether this widget is the first on the page that writes this kind of address. */
  readonly ownsAddress: boolean;
  /** The launcher's button, which was alone on the page until now. The app replaces it. */
  readonly launcher?: Launcher | undefined;
  /** Ends this app and starts another in its place, for another visitor. */
  readonly restart: () => void;
  /** Calls the host's callback and dispatches the element's event. */
  readonly emit: <E extends keyof NitkaEvents>(event: E, detail: NitkaEvents[E]) => unknown;
  /** Aborts when the app ends: the widget was removed, or restarts. Everything that the app has started stops then. */
  readonly signal: AbortSignal;
}

/** Resolves after the first render. */
export type CreateApp = (place: AppPlace) => Promise<App>;

/** The launcher's button while the app is not loaded. */
export interface Launcher {
  /** Resolves when the visitor is about to use the button: the pointer or the focus is near, or it is pressed. */
  readonly wanted: Promise<void>;
  /** Resolves it, for the host. */
  readonly want: () => void;
  /** Removes the button. Returns whether it was pressed, the first time, and whether it had the focus. */
  remove(): { readonly isPressed: boolean; readonly hasFocus: boolean };
}

/** Shows in the widget's place that the browser is too old, and throws an error with the same message. */
export type RefuseBrowser = (place: Pick<AppPlace, "host" | "root" | "options">) => never;

export type ShowLauncher = (
  place: Pick<AppPlace, "root" | "options" | "signal" | "connectOptions">,
) => Promise<Launcher>;

/** The script that defines the element, and how it loads the other parts. */
export interface ElementEnvironment {
  /** The script's own URL. Its origin is the backend's, unless the host sets another. */
  readonly scriptUrl: string;
  /** Adds the stylesheets to a shadow root. */
  readonly style: (root: ShadowRoot) => Stylesheets;
  /** Requests the config of a widget. */
  readonly connectOptions: (place: Pick<AppPlace, "options" | "signal" | "visitorToken">) => AppPlace["connectOptions"];
  readonly loadApp: () => Promise<{ readonly createApp: CreateApp }>;
  readonly loadLauncher: () => Promise<{ readonly showLauncher: ShowLauncher }>;
  readonly loadRefusal: () => Promise<{ readonly refuseBrowser: RefuseBrowser }>;
}
