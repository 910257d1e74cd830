import type { Locale } from "./choose-locale.ts";

/** The texts of the button that changes the width of the launcher's panel. They load with the launcher. */
const ru = { widen: "Расширить окно", narrow: "Сузить окно" };

export type PanelWords = typeof ru;

export const panelWords: Readonly<Record<Locale, PanelWords>> = {
  ru,
  en: { widen: "Widen the panel", narrow: "Narrow the panel" },
};
