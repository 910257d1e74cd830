/** The looks of dictation and of reading aloud. They load with their buttons, in the same chunk, and so are not in a stylesheet. */
const css = `
.voice-note {
  flex: 1;
  display: flex;
  align-items: center;
  justify-content: flex-end;
  gap: 8px;
  color: var(--nitka-text-quiet);
  font-size: 13px;
  line-height: 20px;
}
.voice-note::before {
  content: "";
  flex: none;
  inline-size: 8px;
  block-size: 8px;
  border-radius: 50%;
  background: var(--nitka-accent-text);
  animation: breathe 1.6s ease-in-out infinite;
}
.voice-note[data-phase="off"] {
  flex-basis: 100%;
  grid-column: 1 / -1;
  order: -1;
  justify-content: flex-start;
  padding: 4px 8px 0;
  &::before { display: none; }
}
.composer-tools:has(> .voice-note[data-phase="off"]) { flex-wrap: wrap; }
.dictation-button:not([data-phase="off"]), .message-actions .reading-button[data-on] {
  background: var(--nitka-accent-soft);
  color: var(--nitka-accent-text);
  .icon { fill: currentColor; }
}
.thread[data-running] .message-actions > .reading-button { display: inline-grid; }
.thread[data-running] .message-actions > .reading-note { display: block; }
.reading-note {
  flex: 1 0 100%;
  order: 1;
  padding-inline: 8px;
  color: var(--nitka-text-quiet);
  font-size: 13px;
  line-height: 20px;
}
@container frame (block-size < 420px) {
  .voice-note:not([data-phase="off"]) { grid-area: 8 / 1 / 8 / -1; padding: 4px 16px 0; }
}
@media (forced-colors: active) {
  .voice-note::before { forced-color-adjust: none; background: Highlight !important; }
}
`;

/** Adds the styles to the widget around a node, once. */
export function adoptVoiceStyles(node: Node | null): void {
  const root = node?.getRootNode();
  if (!(root instanceof ShadowRoot)) return;
  const isOurs = ({ cssRules: [first] }: CSSStyleSheet) =>
    first instanceof CSSStyleRule && first.selectorText === ".voice-note";
  if (root.adoptedStyleSheets.some(isOurs)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);
}
