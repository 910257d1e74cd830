import { plainText } from "../conversation.ts";
import type { ShopGood } from "./shop-page.ts";

/** The weight of a question's word when it occurs in a product's title, sku or description. */
const WEIGHT = { title: 3, sku: 2, about: 1 } as const;

/** The least total weight: a single word of a description fits many products. */
const ENOUGH = 2;

/**
 * The products that match a question best. Several may match equally well.
 *
 * @example namedGoods("Положи синюю кружку", goods) // [{ sku: "blue-mug", … }]
 */
export function namedGoods(question: string, goods: readonly ShopGood[]): readonly ShopGood[] {
  const words = wordsOf(question).filter((word) => !empty.has(word));
  const scores = goods.map(({ title, sku, about }) => {
    const places = [
      [wordsOf(title), WEIGHT.title],
      [wordsOf(sku), WEIGHT.sku],
      [wordsOf(about), WEIGHT.about],
    ] as const;
    const weights = words.map((word) => places.find(([there]) => there.some((each) => isSame(word, each)))?.[1] ?? 0);
    return weights.reduce<number>((sum, weight) => sum + weight, 0);
  });
  const best = Math.max(...scores);
  return best < ENOUGH ? [] : goods.filter((_, index) => scores[index] === best);
}

/** The quantity that a question asks for. Default: 1. */
export function countIn(question: string): number {
  const plain = plainText(question);
  const digits = /(?<![\d\p{L}])(\d{1,2})(?![\d\p{L}])/u.exec(plain)?.[1];
  if (digits !== undefined) return Number(digits);
  const words = wordsOf(plain);
  return counts.find(([, forms]) => words.some((word) => forms.includes(word)))?.[0] ?? 1;
}

const counts: readonly (readonly [number, readonly string[]])[] = [
  [2, ["два", "две", "двух", "пару", "two"]],
  [3, ["три", "трех", "three"]],
  [4, ["четыре", "four"]],
  [5, ["пять", "five"]],
  [6, ["шесть", "six"]],
  [10, ["десять", "десяток", "ten"]],
];

/** Words of questions that do not identify a product. */
const empty = new Set("для мне мою или что еще одну две два три two three the and for into from with".split(" "));

function wordsOf(text: string): readonly string[] {
  return plainText(text).match(/\p{L}{3,}/gu) ?? [];
}

/**
 * Whether two words are forms of one word, judged by their common beginning.
 *
 * @example isSame("кружку", "кружка") // true
 * @example isSame("чай", "чайник") // false
 */
function isSame(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 2) return false;
  const shorter = Math.min(one.length, other.length);
  let common = 0;
  while (common < shorter && one[common] === other[common]) common += 1;
  return common >= Math.max(3, shorter - 2);
}
