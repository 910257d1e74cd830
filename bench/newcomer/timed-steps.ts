/** One step of a path, and how long it took. */
export interface TimedStep {
  readonly what: string;
  readonly seconds: number;
}

/** Runs the steps of a path one after the other, and prints the time of each. */
export class TimedSteps {
  readonly #steps: TimedStep[] = [];

  get steps(): readonly TimedStep[] {
    return this.#steps;
  }

  async step<T>(what: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    const seconds = (performance.now() - start) / 1000;
    this.#steps.push({ what, seconds });
    console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${what}`);
    return result;
  }
}
