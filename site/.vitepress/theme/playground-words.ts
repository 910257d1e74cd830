/** The texts of the playground. */
const en = {
  title: "Playground",
  intro:
    "This is the widget itself. The demo model runs inside this page, so what you write goes nowhere. Change something, then copy the code.",
  preview: "The chat as you have set it",
  accent: "Accent",
  ownAccent: "Another colour",
  paper: "Paper",
  papers: { warm: "Warm", white: "White", cool: "Cool" },
  corners: "Corners",
  font: "Type",
  fonts: { system: "System", humanist: "Humanist", serif: "Serif", mono: "Mono" },
  density: "Density",
  densities: { compact: "Compact", regular: "Regular", roomy: "Roomy" },
  layout: "Layout",
  layouts: { inline: "Inline", launcher: "Launcher" },
  scheme: "Scheme",
  schemes: { auto: "Auto", light: "Light", dark: "Dark" },
  locale: "Language",
  locales: { ru: "Русский", en: "English" },
  reset: "Start over",
  css: "CSS",
  html: "HTML",
  settings: "Project settings",
  noCss: "/* Nothing: this is what the chat looks like by itself. */",
  copy: "Copy",
  copied: "Copied",
  notCopied: "Not copied: select the text",
  question: "What is the weather in Lisbon?",
} as const;

type Texts<T> = { readonly [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };

const ru: Texts<typeof en> = {
  title: "Примерочная",
  intro:
    "Это сам виджет. Демонстрационная модель работает прямо в этой странице, поэтому ваши сообщения никуда не уходят. Измените что-нибудь и скопируйте код.",
  preview: "Чат с вашими настройками",
  accent: "Цвет",
  ownAccent: "Другой цвет",
  paper: "Бумага",
  papers: { warm: "Тёплая", white: "Белая", cool: "Холодная" },
  corners: "Скругления",
  font: "Шрифт",
  fonts: { system: "Система", humanist: "Гуманист", serif: "Антиква", mono: "Моно" },
  density: "Плотность",
  densities: { compact: "Плотно", regular: "Обычно", roomy: "Свободно" },
  layout: "Место",
  layouts: { inline: "В странице", launcher: "Кнопка" },
  scheme: "Тема",
  schemes: { auto: "Авто", light: "Светлая", dark: "Тёмная" },
  locale: "Язык",
  locales: { ru: "Русский", en: "English" },
  reset: "Начать заново",
  css: "CSS",
  html: "HTML",
  settings: "Настройки проекта",
  noCss: "/* Ничего: так чат выглядит сам по себе. */",
  copy: "Копировать",
  copied: "Скопировано",
  notCopied: "Не удалось: выделите текст",
  question: "Какая погода в Лиссабоне?",
};

/** @param language of the page, as `lang` has it */
export function playgroundWords(language: string): Texts<typeof en> {
  return language.startsWith("ru") ? ru : en;
}
