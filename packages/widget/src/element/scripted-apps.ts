import { createInit } from "../init.ts";
import type { Init } from "../init.ts";
import type { NitkaCommands } from "../options.ts";
import type { App, AppPlace, ElementEnvironment, ShowLauncher } from "./app.ts";
import { linkStylesheets } from "./stylesheets.ts";

/** What an element gave its app, and the commands that were called. */
export interface ScriptedApp extends AppPlace {
  readonly called: string[];
}

/** Creates apps that only record the called commands, for tests of the element. Rejects for the project `broken`. */
export function scriptedApps(onCreate: (app: ScriptedApp) => void): (place: AppPlace) => Promise<App> {
  return (place) => {
    if (place.options.projectId === "broken") return Promise.reject(new Error("The app is broken."));
    place.launcher?.remove();
    const called: string[] = [];
    onCreate({ ...place, called });
    const record = (command: string) => {
      called.push(command);
      return Promise.resolve();
    };
    const commands: NitkaCommands = {
      send: (text) => record(`send ${text}`).then(() => ({ threadId: "t1", messageId: "m1" })),
      newThread: () => record("newThread").then(() => ({ threadId: "t2" })),
      selectThread: (threadId) => record(`selectThread ${threadId}`),
      // This never resolves: tests end the widget while a command runs.
      stop: () => new Promise(() => called.push("stop")),
      open: () => record("open"),
      close: () => record("close"),
      focus: () => record("focus"),
      setDraft: (text) => record(`setDraft ${text}`),
      notify: (text) => record(`notify ${text}`),
      eraseVisitor: () => record("eraseVisitor"),
    };
    return Promise.resolve({
      commands: () => Promise.resolve(commands),
      changed: (option) => void called.push(`changed ${option}`),
    });
  };
}

/** A launcher's button without styles or behaviour, for tests of the element. `approach` resolves its `wanted`. */
export function scriptedLauncher(onShow: (approach: () => void) => void): ShowLauncher {
  return ({ root }) => {
    const { promise: wanted, resolve: want } = Promise.withResolvers<void>();
    onShow(want);
    const button = document.createElement("button");
    root.append(button);
    const remove = () => {
      button.remove();
      return { isPressed: false, hasFocus: false };
    };
    return Promise.resolve({ wanted, want, remove });
  };
}

/** A connection to a backend with an empty config, without a request. */
export const scriptedConnectOptions: ElementEnvironment["connectOptions"] = ({ options, signal }) => ({
  projectId: options.projectId,
  proxyUrl: options.proxyUrl,
  pageUrl: location.href,
  fetch: () => Promise.reject(new TypeError("There is no network.")),
  storage: { read: () => undefined, write: () => undefined, remove: () => undefined },
  warn: () => undefined,
  signal,
  response: Promise.resolve({ body: {}, kept: undefined, key: "", hostCredential: undefined }),
});

/** The URL of the script in tests of the element. */
export const SCRIPT_URL = "https://chat.example/widget/nitka.js";

/** `init` for tests of the element: its apps and its launchers are scripted, unless the test has others. */
export function scriptedInit(
  onCreate: (app: ScriptedApp) => void,
  environment: Partial<ElementEnvironment> = {},
): Init {
  // happy-dom loads no stylesheets. Without this setting it fires `error` for each.
  const { settings } = Reflect.get(window, "happyDOM") as { settings: { handleDisabledFileLoadingAsSuccess: boolean } };
  settings.handleDisabledFileLoadingAsSuccess = true;
  return createInit({
    scriptUrl: SCRIPT_URL,
    style: linkStylesheets(SCRIPT_URL, ""),
    connectOptions: scriptedConnectOptions,
    loadApp: () => Promise.resolve({ createApp: scriptedApps(onCreate) }),
    loadLauncher: () => Promise.resolve({ showLauncher: scriptedLauncher(() => undefined) }),
    loadRefusal: () => Promise.reject(new Error("This browser is new enough.")),
    ...environment,
  });
}
