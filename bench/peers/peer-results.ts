/** The results of all rounds for one peer. A figure that cannot be measured only loses its own cell, and is not tried again. */

/** The number of milliseconds from which a figure is measured once instead of in each round. */
export const ONCE_MS = 15_000;

export type Measure = "typeKb" | "typeMs" | "answerKb" | "answerMs" | "streamMs" | "threadMs";

export type Figures = Readonly<Partial<Record<Measure, number>>>;

export class PeerResults {
  readonly #rounds = new Map<Measure, number[]>();
  readonly #missing = new Map<Measure, string>();

  add(figures: Figures): void {
    for (const [measure, figure] of Object.entries(figures) as [Measure, number][]) {
      this.#rounds.set(measure, [...(this.#rounds.get(measure) ?? []), figure]);
    }
  }

  /** @param reason a few words for the table, such as `given up after 60 s` */
  giveUp(measure: Measure, reason: string): void {
    this.#missing.set(measure, reason);
  }

  /** Whether a further round measures it. A figure of this length is not measured again. */
  wants(measure: Measure): boolean {
    return !this.#missing.has(measure) && (this.#rounds.get(measure)?.[0] ?? 0) < ONCE_MS;
  }

  /** The median of the rounds, or the reason why there is none. */
  cell(measure: Measure): number | string {
    const missing = this.#missing.get(measure);
    if (missing !== undefined) return missing;
    const sorted = (this.#rounds.get(measure) ?? []).toSorted((a, b) => a - b);
    const [low = NaN, high = NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
    return (low + high) / 2;
  }
}
