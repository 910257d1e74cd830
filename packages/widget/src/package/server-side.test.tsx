// @vitest-environment node
import { describe, expect, it } from "vitest";
import { renderToString } from "react-dom/server";
import { define, init } from "./init.ts";
import { NitkaChat } from "./react.tsx";

describe("on a server", () => {
  it("the component renders its place and nothing in it", () => {
    expect(renderToString(<NitkaChat proxyUrl="https://chat.example" />)).toBe('<div style="height:100%"></div>');
    expect(renderToString(<NitkaChat id="chat" className="tall" />)).toBe('<div id="chat" class="tall"></div>');
    expect(renderToString(<NitkaChat layout="launcher" />)).toBe("<div></div>");
  });

  it("define does nothing, and init says that it needs a page", () => {
    expect(define()).toBeUndefined();
    expect(() => init()).toThrow(
      "Nitka: init needs a page. On a server, call it later, in the browser: in an effect, for example.",
    );
  });
});
