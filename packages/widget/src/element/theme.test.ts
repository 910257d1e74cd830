import { describe, expect, it } from "vitest";
import { applyTheme } from "./theme.ts";

describe("a project's theme", () => {
  it("sets custom properties on the element, named with or without dashes, and can be removed", () => {
    const root = document.createElement("div").attachShadow({ mode: "open" });
    const remove = applyTheme(root, { "--nitka-accent": "teal", "nitka-radius-l": "4px" });
    const rule = root.adoptedStyleSheets[0]?.cssRules[0];
    expect(rule?.cssText.replaceAll(/\s+/g, " ")).toContain(":host {");
    expect(rule?.cssText).toContain("--nitka-accent: teal");
    expect(rule?.cssText).toContain("--nitka-radius-l: 4px");
    remove();
    expect(root.adoptedStyleSheets).toEqual([]);
  });
});
