/** A chart of horizontal bars as an SVG, one panel for each measure. */

export interface Panel {
  readonly title: string;
  readonly bars: readonly Bar[];
}

interface Bar {
  readonly name: string;
  /** The length of the bar, or the text that replaces it. */
  readonly value: number | string;
  readonly ours: boolean;
}

const WIDTH = 760;
const LABELS = 200;
const NUMBERS = 80;
const ROW = 24;
const HEADING = 40;

/** Each panel has its own scale, from zero to its longest bar. */
export function chartOf(panels: readonly Panel[]): string {
  let top = 8;
  const drawn = panels.map((panel) => {
    const text = drawPanel(panel, top);
    top += HEADING + panel.bars.length * ROW;
    return text;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top + 8}" font-family="system-ui, sans-serif" font-size="13">
<title>The widget beside other chats: less is better</title>
<style>
.page { fill: #ffffff } .text { fill: #333333 } .ours { fill: #1f7a60 } .other { fill: #b3bdb9 }
@media (prefers-color-scheme: dark) {
  .page { fill: #15191a } .text { fill: #d5dbd8 } .ours { fill: #3fb68f } .other { fill: #5b6763 }
}
</style>
<rect class="page" width="100%" height="100%"/>
${drawn.join("\n")}
</svg>
`;
}

function drawPanel({ title, bars }: Panel, top: number): string {
  const longest = Math.max(...bars.map(({ value }) => (typeof value === "number" ? value : 0)));
  const rows = bars.map(({ name, value, ours }, index) => {
    const y = top + HEADING + index * ROW;
    const label = `<text class="text" x="${LABELS - 10}" y="${y}" text-anchor="end">${escaped(name)}</text>`;
    if (typeof value === "string")
      return `${label}<text class="text" x="${LABELS}" y="${y}" font-style="italic">${escaped(value)}</text>`;
    const width = Math.max(1, (value / longest) * (WIDTH - LABELS - NUMBERS));
    return [
      label,
      `<rect class="${ours ? "ours" : "other"}" x="${LABELS}" y="${y - 13}" width="${width.toFixed(1)}" height="16" rx="3"/>`,
      `<text class="text" x="${(LABELS + width + 6).toFixed(1)}" y="${y}">${Math.round(value).toLocaleString("en")}</text>`,
    ].join("");
  });
  const heading = `<text class="text" x="16" y="${top + 14}" font-weight="600">${escaped(title)}</text>`;
  return [heading, ...rows].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
