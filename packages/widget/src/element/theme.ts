/**
 * Sets a project's custom properties on the element, in a constructed stylesheet: no content security policy forbids it,
 * and a value cannot break out of its property. The page's own rules for the element win over `:host` rules.
 *
 * @param rules CSS to put before them in the same stylesheet
 * @returns removes the stylesheet
 */
export function applyTheme(root: ShadowRoot, theme: object, rules = ""): () => void {
  // A constructed stylesheet belongs to one document: the element may stand in another one than its script.
  const sheet = new (root.ownerDocument.defaultView as typeof window).CSSStyleSheet();
  sheet.replaceSync(`${rules}:host{}`);
  const { style } = [...sheet.cssRules].pop() as CSSStyleRule;
  for (const [name, value] of Object.entries(theme)) {
    if (typeof value === "string") style.setProperty(name.startsWith("--") ? name : `--${name}`, value);
  }
  root.adoptedStyleSheets.push(sheet);
  return () => {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((candidate) => candidate !== sheet);
  };
}
