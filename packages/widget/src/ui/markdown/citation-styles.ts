/** The looks of citations. They load with the first one, in the same chunk, and so are not in a stylesheet. */
const css = `
.citation {
  display: inline-block;
  min-inline-size: 18px;
  margin-inline: 1px;
  padding-inline: 5px;
  border-radius: 9px;
  background: var(--nitka-surface-sunken);
  color: var(--nitka-text-quiet);
  font: 500 12px / 18px var(--nitka-font);
  font-variant-numeric: tabular-nums;
  text-align: center;
  text-decoration: none;
  text-indent: 0;
  vertical-align: 2px;
  transition: background-color var(--nitka-quick), color var(--nitka-quick);
}
.citation span { font-size: 0; }
.citation:focus-visible { outline: 2px solid var(--nitka-accent); outline-offset: 1px; }
@media (hover: hover) {
  .citation:hover { background: var(--nitka-accent-fill); color: var(--nitka-on-accent); }
}
.citation-card {
  position: fixed;
  inset: var(--y, 0) auto auto var(--x, 0);
  box-sizing: border-box;
  max-inline-size: min(340px, 100vw - 12px);
  margin: 0;
  padding: 12px 14px;
  border: 1px solid var(--nitka-line);
  border-radius: var(--nitka-radius-m);
  background: var(--nitka-surface-raised);
  box-shadow: 0 8px 28px var(--nitka-shadow);
  color: var(--nitka-text);
  font: 13px / 20px var(--nitka-font);
  overflow-wrap: anywhere;
}
.citation-card:popover-open { display: grid; gap: 2px; animation: tooltip-in var(--nitka-quick) var(--nitka-ease); }
.citation-card b { font-size: 14px; font-weight: 600; }
.citation-card span { color: var(--nitka-text-quiet); }
.citation-card q { margin-block-start: 6px; quotes: none; padding-inline-start: 10px; border-inline-start: 2px solid var(--nitka-line); }
@media (forced-colors: active) { .citation { border: 1px solid LinkText; } }
`;

/** Adds the styles to a widget, once. */
export function adoptCitationStyles(root: Node): void {
  if (!(root instanceof ShadowRoot)) return;
  const isOurs = ({ cssRules: [first] }: CSSStyleSheet) =>
    first instanceof CSSStyleRule && first.selectorText === ".citation";
  if (root.adoptedStyleSheets.some(isOurs)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);
}
