import { availableParallelism, loadavg } from "node:os";

interface Line {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
  readonly met: boolean;
}

/** The results of a benchmark: each figure beside its goal. */
export class Report {
  readonly #lines: Line[] = [];
  #section = "";

  /** Prints the machine and its load. */
  constructor() {
    const busy = loadavg()[0] ?? 0;
    console.log(`Node ${process.version}, ${availableParallelism()} cores, load ${busy.toFixed(1)} before the start`);
    if (busy > availableParallelism() / 2)
      console.log("Other programs are running on this machine, so the figures will be too high.");
  }

  /**
   * @param measured in `unit`, like `against`
   * @param goal the largest ratio that passes; `null` for a figure without a goal
   */
  ratio(what: string, measured: number, against: number, goal: number | null, unit: string, beside?: string): void {
    const times = measured / against;
    const note = beside === undefined ? "" : `; ${beside}`;
    this.#line(
      what,
      `${times.toFixed(2)} × (${shown(measured)} / ${shown(against)} ${unit}${note})`,
      goal === null ? "none" : `≤ ${goal} ×`,
      goal === null || times <= goal,
    );
  }

  /** @param goal the largest value that passes */
  below(what: string, measured: number, goal: number, unit: string, beside?: string): void {
    const note = beside === undefined ? "" : ` (${beside})`;
    this.#line(what, `${shown(measured)} ${unit}${note}`.trim(), `≤ ${goal} ${unit}`.trim(), measured <= goal);
  }

  /** @param goal the least value that passes */
  above(what: string, measured: number, goal: number, unit: string): void {
    this.#line(what, `${shown(measured)} ${unit}`, `≥ ${goal} ${unit}`, measured >= goal);
  }

  #line(what: string, measured: string, goal: string, met: boolean): void {
    console.log(`${met ? "✓" : "✗"} ${what}: ${measured}, goal ${goal}`);
    this.#lines.push({ what: `${this.#section}${what}`, measured, goal, met });
  }

  /** Prefixes the names of all following figures. */
  section(name: string): void {
    console.log(name);
    this.#section = `${name}: `;
  }

  /** Prints the table. The process exits with 1 when a goal is missed. */
  end(): void {
    console.table(Object.fromEntries(this.#lines.map(({ what, ...rest }) => [what, rest])));
    process.exitCode = this.#lines.every(({ met }) => met) ? 0 : 1;
  }
}

/** The parts of a benchmark that the command line names; without names, the usual ones. An unknown name ends the process. */
export function namedParts(parts: readonly string[], usual = parts): readonly string[] {
  const named = process.argv.slice(2);
  const unknown = named.find((name) => !parts.includes(name));
  if (unknown !== undefined) {
    console.error(`There is no ${unknown}: expected ${parts.join(", ")}, or none for the usual.`);
    process.exit(2);
  }
  return named.length === 0 ? usual : parts.filter((name) => named.includes(name));
}

type Figures = Readonly<Record<string, number>>;

/**
 * Repeats measurements and returns the minimum of each figure, because other programs on a machine can only increase it. The
 * measurements alternate, so that a slow minute affects all of them.
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

/** The value below which a share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function smaller(one: Figures, other: Figures): Figures {
  return Object.fromEntries(Object.entries(one).map(([name, value]) => [name, Math.min(value, other[name] ?? value)]));
}

function shown(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 1 ? 3 : 1);
}
