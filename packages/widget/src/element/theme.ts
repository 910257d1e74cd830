/**
 * Sets a project's custom properties on the element, in a constructed stylesheet: no content security policy forbids it,
 * and a value cannot break out of its property. The page's own rules for the element win over `:host` rules.
 *
 * @param rules CSS to put before them in the same stylesheet
 * @returns removes the stylesheet
 */
export function applyTheme(root: ShadowRoot, theme: object, rules = ""): () => void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${rules}:host{}`);
  const rule = [...sheet.cssRules].at(-1);
  if (rule instanceof CSSStyleRule) {
    for (const [name, value] of Object.entries(theme)) {
      if (typeof value === "string") rule.style.setProperty(name.startsWith("--") ? name : `--${name}`, value);
    }
  }
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  return () => {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((candidate) => candidate !== sheet);
  };
}
