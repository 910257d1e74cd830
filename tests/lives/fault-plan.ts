/** The fault of a life and its time, determined by the life's seed. */
import { faultPlaces } from "./fault-places.ts";
import type { Drawn } from "./fault-places.ts";
import type { Fault } from "./fault.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** The faults of a life and their consequences. */
export interface FaultPlan {
  readonly faults: readonly Fault[];
  /** Whether nobody acts after the single fault, so that the server has to recover without a request. */
  readonly thenSilence: boolean;
  /** Whether and how an instance ends, independent of the fault. */
  readonly ending: { readonly afterMs: number; readonly how: "dies" | "is released" } | undefined;
  /** What visitors do more often than in other lives, because the fault would otherwise rarely occur. */
  readonly drawn: Drawn;
}

/** Every place, with every way in which it fails. */
const kinds = faultPlaces.flatMap((place) => place.hows.map((how) => ({ ...place, how })));

/**
 * The stride between seeds. It is prime, so that as many neighbouring seeds as there are kinds each get a different first kind,
 * in no order.
 */
const STRIDE = 7_919;

/** Up to five seconds. With delays of a tenth, some of these are as long as fifty seconds on a real server. */
const SLOW_MS = [0, 5, 50, 200, 500, 2_000, 5_000] as const;

export function planFaults(seed: number, random: SeededRandom, place: { readonly atOnce: 1 | 2 }): FaultPlan {
  const possible = kinds.filter(({ needsTwo }) => !needsTwo || place.atOnce === 2);
  const mood = random.pick(["calm", "silent", "silent", "silent", "silent", "stormy", "stormy", "stormy"]);
  const more = Array.from({ length: mood === "stormy" ? random.below(4) : 0 }, () => random.below(possible.length));
  const chosen = [seed * STRIDE, ...more].flatMap((n) => possible[n % possible.length] ?? []);
  const faults = chosen.flatMap(({ where, call, most, how, after }): readonly Fault[] => {
    // Half of the faults hit the first call, because a later one may not happen in a short life.
    const nth = 1 + (random.chance(0.5) ? 0 : random.below(most));
    const fault = { where, call, nth, how, ms: random.pick(SLOW_MS) };
    return after === undefined
      ? [fault]
      : [{ where, call: after, nth: 1 + random.below(3), how: "lost", ms: 0 }, fault];
  });
  return {
    faults: mood === "calm" ? [] : faults,
    thenSilence: mood === "silent",
    ending: random.chance(mood === "calm" ? 0 : 0.15)
      ? { afterMs: 50 + random.below(1_500), how: random.pick(["dies", "is released"]) }
      : undefined,
    drawn: chosen[0]?.drawn ?? {},
  };
}
