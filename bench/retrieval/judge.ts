import type { Corpus, Question } from "./corpora.ts";

/** Returns the addresses that a search finds for a question, the best first, without fragments. Pages may repeat. */
export type Search = (question: string) => Promise<readonly string[]>;

/** The rank, from 1, of the first page that answers; `undefined` if it is not among the first five. */
export interface Judged extends Question {
  readonly rank: number | undefined;
}

export interface Score {
  readonly recall: number;
  readonly mrr: number;
}

const RANKS = 5;

/** Several passages of one page count as the page once, at the rank of the first. */
export async function judge({ questions }: Corpus, search: Search): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const question of questions) {
    const pages = [...new Set(await search(question.text))].slice(0, RANKS);
    const rank = pages.findIndex((url) => question.urls.includes(url)) + 1;
    judged.push({ ...question, rank: rank || undefined });
  }
  return judged;
}

/** The share of the questions whose answer is among the first five, and the mean reciprocal rank. */
export function scoreOf(judged: readonly Judged[]): Score {
  const sum = (value: (each: Judged) => number) => judged.reduce((total, each) => total + value(each), 0);
  const count = Math.max(1, judged.length);
  return { recall: sum(({ rank }) => (rank ? 1 : 0)) / count, mrr: sum(({ rank }) => (rank ? 1 / rank : 0)) / count };
}
