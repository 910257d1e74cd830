/**
 * Sets a project's custom properties on the element, in a constructed stylesheet. No content security policy forbids that, and
 * a value cannot break out of its property. The page's own rules for the element override `:host` rules.
 *
 * @param rules CSS that precedes them in the same stylesheet
 * @returns a function that removes the stylesheet
 */
export function applyTheme(root: ShadowRoot, theme: object, rules = ""): () => void {
  // A constructed stylesheet belongs to one document, and the element may be in another one than its script.
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
