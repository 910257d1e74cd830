/** A chart of horizontal bars as an SVG, one panel for each measure. */

export interface Panel {
  readonly title: string;
  readonly bars: readonly Bar[];
}

interface Bar {
  readonly name: string;
  readonly value: number;
  readonly ours: boolean;
}

const WIDTH = 760;
const LABELS = 200;
const NUMBERS = 80;
const ROW = 24;
const HEADING = 40;

/** Each panel has a scale of its own, from zero to its longest bar. */
export function chartOf(panels: readonly Panel[]): string {
  let top = 8;
  const drawn = panels.map((panel) => {
    const text = drawPanel(panel, top);
    top += HEADING + panel.bars.length * ROW;
    return text;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top + 8}" font-family="system-ui, sans-serif" font-size="13">
<title>The widget beside other chats: less is better</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${drawn.join("\n")}
</svg>
`;
}

function drawPanel({ title, bars }: Panel, top: number): string {
  const longest = Math.max(...bars.map(({ value }) => value));
  const rows = bars.map(({ name, value, ours }, index) => {
    const y = top + HEADING + index * ROW;
    const width = Math.max(1, (value / longest) * (WIDTH - LABELS - NUMBERS));
    return [
      `<text x="${LABELS - 10}" y="${y}" text-anchor="end" fill="#333333">${escaped(name)}</text>`,
      `<rect x="${LABELS}" y="${y - 13}" width="${width.toFixed(1)}" height="16" rx="3" fill="${ours ? "#1f7a60" : "#b3bdb9"}"/>`,
      `<text x="${(LABELS + width + 6).toFixed(1)}" y="${y}" fill="#333333">${Math.round(value).toLocaleString("en")}</text>`,
    ].join("");
  });
  const heading = `<text x="16" y="${top + 14}" font-weight="600" fill="#111111">${escaped(title)}</text>`;
  return [heading, ...rows].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
