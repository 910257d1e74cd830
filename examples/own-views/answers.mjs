// @ts-check
/** Answers like those of a shop's backend. The page has a view for everything except text. */

const order = {
  number: 4021,
  items: ["Чайник «Утро»", "Два стакана"],
  sum: 5_480,
  step: 1,
  arrives: "завтра, 10:00–14:00",
};

const prices = [5_900, 5_650, 5_700, 5_200, 4_990, 5_120, 4_790];

const diagram = "graph LR\n  Заказ --> Сборка\n  Сборка --> Доставка\n  Доставка --> Вы";

/**
 * @param {string} question
 * @returns {readonly { readonly type: string, readonly [field: string]: unknown }[]}
 */
export function answerTo(question) {
  if (/заказ/i.test(question)) return [text("Нашёл ваш заказ."), { type: "data-order", id: "4021", data: order }];
  if (/цен/i.test(question))
    return [text("Так менялась цена чайника за неделю."), { type: "data-prices", data: prices }];
  return [text(`Вот как это устроено.\n\n\`\`\`mermaid\n${diagram}\n\`\`\`\n`)];
}

/** @param {string} delta */
function text(delta) {
  return { type: "text-delta", id: "text", delta };
}
