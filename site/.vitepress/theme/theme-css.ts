/** What a visitor of the playground has chosen, as custom properties of the element. */
export interface ThemeChoice {
  readonly accent: string;
  readonly paper: "warm" | "white" | "cool";
  /** Of the largest corners, in pixels. */
  readonly radius: number;
  readonly font: "system" | "humanist" | "serif" | "mono";
  readonly density: "compact" | "regular" | "roomy";
}

/** What the widget looks like without any property. */
export const plainChoice: ThemeChoice = {
  accent: "#2b8068",
  paper: "warm",
  radius: 18,
  font: "system",
  density: "regular",
};

const papers = {
  warm: {},
  white: {
    "--nitka-surface": "light-dark(#fff, #161718)",
    "--nitka-surface-raised": "light-dark(#fff, #1f2022)",
    "--nitka-surface-sunken": "light-dark(#f7f7f8, #101112)",
    "--nitka-line": "light-dark(#e6e6e8, #2c2d30)",
  },
  cool: {
    "--nitka-surface": "light-dark(#fafbfe, #12151c)",
    "--nitka-surface-raised": "light-dark(#fff, #1b1f29)",
    "--nitka-surface-sunken": "light-dark(#f1f4f9, #0d1016)",
    "--nitka-line": "light-dark(#dde3ec, #2a303c)",
  },
} as const;

const fonts = {
  system: {},
  humanist: { "--nitka-font": 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", sans-serif' },
  serif: { "--nitka-font": 'Charter, "Bitstream Charter", Cambria, Georgia, "DejaVu Serif", serif' },
  mono: { "--nitka-font": "var(--nitka-font-mono)" },
} as const;

const densities = {
  compact: { "--nitka-control": "32px", "--nitka-sidebar-width": "224px", "--nitka-thread-width": "624px" },
  regular: {},
  roomy: { "--nitka-control": "44px", "--nitka-sidebar-width": "288px", "--nitka-thread-width": "800px" },
} as const;

/** The properties that differ from the widget's own. */
export function propertiesOf({ accent, paper, radius, font, density }: ThemeChoice): Readonly<Record<string, string>> {
  const corners = {
    "--nitka-radius-s": `${Math.round(radius / 3)}px`,
    "--nitka-radius-m": `${Math.round(radius / 1.8)}px`,
    "--nitka-radius-l": `${radius}px`,
  };
  return {
    ...(accent !== plainChoice.accent && { "--nitka-accent": accent }),
    ...papers[paper],
    ...(radius !== plainChoice.radius && corners),
    ...fonts[font],
    ...densities[density],
  };
}

/** The rule for the host page's stylesheet. */
export function cssOf(properties: Readonly<Record<string, string>>): string {
  const lines = Object.entries(properties).map(([name, value]) => `  ${name}: ${value};\n`);
  return lines.length === 0 ? "" : `nitka-chat {\n${lines.join("")}}`;
}

/** The same for all pages of a project, in the server's settings. */
export function settingsOf(properties: Readonly<Record<string, string>>): string {
  const theme = Object.fromEntries(Object.entries(properties).map(([name, value]) => [name.slice(2), value]));
  return JSON.stringify({ projects: { default: { theme } } }, null, 2);
}

/** The markup of the host page. */
export function htmlOf(attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
  const chat = `<nitka-chat${written.join("")}></nitka-chat>`;
  const inline = attributes["layout"] !== "launcher";
  return [
    '<script async src="https://chat.example/widget/nitka.js"></script>',
    ...(inline ? ['<div style="height: 600px">', `  ${chat}`, "</div>"] : [chat]),
  ].join("\n");
}
