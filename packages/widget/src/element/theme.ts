/**
 * Puts a project's custom properties on the element: by a constructed stylesheet, which no content security policy
 * forbids, and whose values cannot break out of their property. The page's own rules for the element go before.
 *
 * @param rules what goes before them in the same stylesheet
 * @returns takes them off again
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
