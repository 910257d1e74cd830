/** A day of questions. */
export interface Day {
  readonly questions: number;
  /** The share of the questions in the busiest hour. On an even day it is 1/24. */
  readonly peakHourShare: number;
  /** The mean length of an answer. */
  readonly answerSeconds: number;
}

/** What the busiest moments of a day need. */
export interface DayFigures {
  /** The questions per second in the busiest minute. */
  readonly peakPerSecond: number;
  /** The maximum number of answers that are written at the same time. */
  readonly peakRuns: number;
  /**
   * The number of instances with which, even if one is down, no question is refused and no instance uses more than 70% of its
   * core.
   */
  readonly instances: number;
}

/** The default of NITKA_MAX_RUNS. */
const RUNS_PER_INSTANCE = 250;

/** An instance is one process, which uses one core. Above this share of it, response times grow quickly. */
const SHARE_OF_CORE = 0.7;

const SECONDS = 24 * 3600;

/**
 * Simulates a day second by second. Questions arrive at random, at a rate that varies between night and the busiest hour. The
 * lengths of answers are distributed like those of models (log-normal, σ = 0.8). The day begins at night, so nothing is left of
 * the day before. The results are the same each time.
 *
 * @param serverCpuMs the processor time of an instance for an answer
 */
export function simulateDay({ questions, peakHourShare, answerSeconds }: Day, serverCpuMs: number): DayFigures {
  const random = seeded(1);
  const ends = new Float64Array(SECONDS + 3600);
  const swing = peakHourShare * 24 - 1;
  let running = 0;
  let peakRuns = 0;
  let inMinute = 0;
  let busiestMinute = 0;
  for (let second = 0; second < SECONDS; second += 1) {
    running -= ends[second] ?? 0;
    const rate = (questions / SECONDS) * Math.max(0, 1 - swing * Math.cos((2 * Math.PI * second) / SECONDS));
    const arrivals = poisson(rate, random);
    for (let n = 0; n < arrivals; n += 1) {
      const end = second + Math.max(1, Math.round(logNormal(answerSeconds, random)));
      if (end < ends.length) ends[end] = (ends[end] ?? 0) + 1;
    }
    running += arrivals;
    inMinute = second % 60 === 0 ? arrivals : inMinute + arrivals;
    busiestMinute = Math.max(busiestMinute, inMinute);
    peakRuns = Math.max(peakRuns, running);
  }
  const peakPerSecond = busiestMinute / 60;
  const byRuns = peakRuns / RUNS_PER_INSTANCE;
  const byCores = (peakPerSecond * serverCpuMs) / 1000 / SHARE_OF_CORE;
  return { peakPerSecond, peakRuns, instances: Math.ceil(Math.max(byRuns, byCores)) + 1 };
}

const SIGMA = 0.8;

function logNormal(mean: number, random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return mean * Math.exp(SIGMA * normal - SIGMA ** 2 / 2);
}

/** Knuth's method, which is quick enough for the rates of a site. */
function poisson(rate: number, random: () => number): number {
  const limit = Math.exp(-rate);
  let product = random();
  let count = 0;
  while (product > limit) {
    product *= random();
    count += 1;
  }
  return count;
}

/** Mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
