import type { Locale } from "./choose-locale.ts";

/** The names of the button that changes the width of the launcher's panel. */
export interface PanelWords {
  readonly widen: string;
  readonly narrow: string;
}

/** The texts load with the launcher. */
export const panelWords: Readonly<Record<Locale, PanelWords>> = {
  ru: { widen: "Расширить окно", narrow: "Сузить окно" },
  en: { widen: "Widen the panel", narrow: "Narrow the panel" },
};
