import { afterEach, describe, expect, it } from "vitest";
import { createElementClass } from "./nitka-element.ts";
import { scriptedConnectOptions } from "./scripted-apps.ts";

afterEach(() => document.body.replaceChildren());

describe("the config", () => {
  /** The requests that were made before any response arrived. */
  const askedFirst = (layout: "inline" | "launcher") => {
    const asked: string[] = [];
    const never = (what: string) => () => {
      asked.push(what);
      return new Promise<never>(() => undefined);
    };
    const Chat = createElementClass({
      scriptUrl: "https://chat.example/widget/nitka.js",
      style: () => {
        asked.push("stylesheets");
        return { shell: () => Promise.resolve(), answers: () => Promise.resolve() };
      },
      connectOptions: (place) => {
        asked.push("config");
        return scriptedConnectOptions(place);
      },
      loadApp: never("app"),
      loadLauncher: never("launcher"),
      loadRefusal: never("refusal"),
    });
    const name = `config-${layout}`;
    customElements.define(name, Chat);
    document.body.innerHTML = `<${name} layout="${layout}"></${name}>`;
    return asked;
  };

  it("is requested while the app loads, which is requested first of all", () => {
    expect(askedFirst("inline")).toEqual(["app", "stylesheets", "config"]);
  });

  it("is requested while the launcher's button loads", () => {
    expect(askedFirst("launcher")).toEqual(["launcher", "config"]);
  });
});
