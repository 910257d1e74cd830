/**
 * Puts a project's custom properties on the element: by a constructed stylesheet, which no content security policy
 * forbids, and whose values cannot break out of their property. The page's own rules for the element go before.
 *
 * @returns takes them off again
 */
export function applyTheme(root: ShadowRoot, theme: Readonly<Record<string, string>>): () => void {
  const sheet = new CSSStyleSheet();
  const rule = sheet.cssRules[sheet.insertRule(":host {}")];
  if (rule instanceof CSSStyleRule) {
    for (const [name, value] of Object.entries(theme)) {
      rule.style.setProperty(name.startsWith("--") ? name : `--${name}`, value);
    }
  }
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  return () => {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((candidate) => candidate !== sheet);
  };
}
