import type { NitkaCommands } from "../options.ts";
import type { App, AppPlace, ShowLauncher } from "./app.ts";

/** An app that an element was given, and what it was told to do. */
export interface ScriptedApp extends AppPlace {
  readonly told: string[];
}

/** Makes apps that only note what they are told, for tests of the element. The project `broken` has none. */
export function scriptedApps(onCreate: (app: ScriptedApp) => void): (place: AppPlace) => Promise<App> {
  return (place) => {
    if (place.options.projectId === "broken") return Promise.reject(new Error("The app is broken."));
    place.launcher?.remove();
    const told: string[] = [];
    onCreate({ ...place, told });
    const note = (what: string) => {
      told.push(what);
      return Promise.resolve();
    };
    const commands: NitkaCommands = {
      send: (text) => note(`send ${text}`).then(() => ({ threadId: "t1", messageId: "m1" })),
      newThread: () => note("newThread").then(() => ({ threadId: "t2" })),
      selectThread: (threadId) => note(`selectThread ${threadId}`),
      stop: () => new Promise(() => told.push("stop")),
      open: () => note("open"),
      close: () => note("close"),
      focus: () => note("focus"),
      setDraft: (text) => note(`setDraft ${text}`),
      notify: (text) => note(`notify ${text}`),
      eraseVisitor: () => note("eraseVisitor"),
    };
    return Promise.resolve({ commands: () => Promise.resolve(commands), retry: () => void told.push("retry") });
  };
}

/** A launcher's button that nobody draws, for tests of the element. */
export function scriptedLauncher(onShow: (comeNear: () => void) => void): ShowLauncher {
  return ({ root, signal }) => {
    const { promise: wanted, resolve } = Promise.withResolvers<void>();
    onShow(resolve);
    const button = document.createElement("button");
    root.append(button);
    const remove = () => {
      button.remove();
      return { isPressed: false, hasFocus: false };
    };
    signal.addEventListener("abort", remove);
    const asked = { answer: {}, kept: undefined, key: "", hostCredential: undefined };
    return Promise.resolve({ asked, wanted, remove });
  };
}
