import { availableParallelism, loadavg } from "node:os";

interface Line {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
  readonly met: boolean;
}

/** The table of a benchmark: what was measured, beside its goal. */
export class Report {
  readonly #lines: Line[] = [];
  #section = "";

  /** Says what it is measured on. */
  constructor() {
    const busy = loadavg()[0] ?? 0;
    console.log(`Node ${process.version}, ${availableParallelism()} cores, load ${busy.toFixed(1)} before the start`);
    if (busy > availableParallelism() / 2)
      console.log("Something else runs on this machine: the figures will be too high.");
  }

  /**
   * @param measured and `against`, in `unit`
   * @param goal the largest ratio of the two that is good
   */
  ratio(what: string, measured: number, against: number, goal: number, unit: string, beside?: string): void {
    const times = measured / against;
    const note = beside === undefined ? "" : `; ${beside}`;
    this.#line(
      what,
      `${times.toFixed(2)} × (${shown(measured)} / ${shown(against)} ${unit}${note})`,
      `≤ ${goal} ×`,
      times <= goal,
    );
  }

  /** @param goal the largest value that is good */
  below(what: string, measured: number, goal: number, unit: string, beside?: string): void {
    const note = beside === undefined ? "" : ` (${beside})`;
    this.#line(what, `${shown(measured)} ${unit}${note}`.trim(), `≤ ${goal} ${unit}`.trim(), measured <= goal);
  }

  #line(what: string, measured: string, goal: string, met: boolean): void {
    console.log(`${met ? "✓" : "✗"} ${what}: ${measured}, goal ${goal}`);
    this.#lines.push({ what: `${this.#section}${what}`, measured, goal, met });
  }

  /** What is measured from here on is measured there. */
  section(name: string): void {
    console.log(name);
    this.#section = `${name}: `;
  }

  /** Prints the table; the process ends with 1 when a goal is missed. */
  end(): void {
    console.table(Object.fromEntries(this.#lines.map(({ what, ...rest }) => [what, rest])));
    process.exitCode = this.#lines.every(({ met }) => met) ? 0 : 1;
  }
}

type Figures = Readonly<Record<string, number>>;

/**
 * The least of several rounds, figure by figure: what else runs on a machine only ever adds. What is compared takes
 * turns, so that a slow minute is both theirs.
 */
export async function leastOf<Name extends string, Measured extends Readonly<Record<keyof Measured, number>>>(
  rounds: number,
  measures: Readonly<Record<Name, () => Promise<Measured>>>,
): Promise<Readonly<Record<Name, Measured>>> {
  const least: Record<string, Figures> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of Object.entries<() => Promise<Measured>>(measures)) {
      const figures: Figures = await measure();
      least[name] = round === 0 ? figures : smaller(figures, least[name] ?? figures);
    }
  }
  return least as Record<Name, Measured>;
}

function smaller(one: Figures, other: Figures): Figures {
  return Object.fromEntries(Object.entries(one).map(([name, value]) => [name, Math.min(value, other[name] ?? value)]));
}

function shown(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 1 ? 3 : 1);
}
