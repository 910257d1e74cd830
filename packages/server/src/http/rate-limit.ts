import { ChatError } from "../chat-error.ts";

/** What is counted, and for whom. */
export interface Allowance {
  readonly name: "messages" | "threads" | "uploads" | "requests";
  readonly of: "visitor" | "address";
  readonly key: string;
  /** `null`: as many as one likes. */
  readonly perMinute: number | null;
  /** How many are taken at one time; 1 unless said. */
  readonly cost?: number;
}

export interface RateLimiter {
  /**
   * Takes of all the allowances, or of none: then it throws `rate_limited` with the seconds until there is enough again.
   * Returns what gives back all that was taken.
   */
  take(allowances: readonly Allowance[]): () => void;
}

interface Bucket {
  tokens: number;
  /** Milliseconds, when `tokens` was right. */
  at: number;
}

/** So many callers are remembered for certain, and twice as many at most. */
const MAX_BUCKETS = 25_000;

/** Questions may come in bursts of this many, or of a third of a minute's, where that is more. */
const MESSAGE_BURST = 10;

/** Token buckets in memory: each fills up evenly over the minute. What one process counts, another does not see. */
export function createRateLimiter(clock: () => Date): RateLimiter {
  // Two generations: when the younger is full, the older, whom nobody has touched for so long, goes as a whole.
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();

  function bucketOf({ name, of, key }: Allowance, size: number, perMs: number, now: number): Bucket {
    const id = `${name}\n${of}\n${key}`;
    const bucket = young.get(id) ?? old.get(id) ?? { tokens: size, at: now };
    bucket.tokens = Math.min(size, bucket.tokens + Math.max(0, now - bucket.at) * perMs);
    bucket.at = now;
    young.set(id, bucket);
    if (young.size > MAX_BUCKETS) [old, young] = [young, new Map()];
    return bucket;
  }

  return {
    take(allowances) {
      const now = clock().getTime();
      const taken = allowances.flatMap((allowance) => {
        const { name, of, perMinute, cost = 1 } = allowance;
        if (perMinute === null) return [];
        const perMs = perMinute / 60_000;
        const size = burstOf(name, perMinute);
        const bucket = bucketOf(allowance, size, perMs, now);
        // A limit below the cost of a single call still lets one through when it is full.
        const price = Math.min(cost, Math.max(1, size));
        if (bucket.tokens < price) {
          const retryAfter = perMs > 0 ? Math.max(1, Math.ceil((price - bucket.tokens) / perMs / 1000)) : 3600;
          const sentence = `Too many ${nouns[name]}${of === "address" ? " from this address" : ""} in a minute.`;
          throw new ChatError("rate_limited", `${sentence} Try again in ${retryAfter} s.`, { retryAfter });
        }
        return [{ bucket, price, size }];
      });
      for (const { bucket, price } of taken) bucket.tokens -= price;
      return () => {
        for (const { bucket, price, size } of taken) bucket.tokens = Math.min(size, bucket.tokens + price);
      };
    },
  };
}

function burstOf(name: Allowance["name"], perMinute: number): number {
  return name === "messages" ? Math.min(perMinute, Math.max(MESSAGE_BURST, Math.ceil(perMinute / 3))) : perMinute;
}

const nouns: Readonly<Record<Allowance["name"], string>> = {
  messages: "messages",
  threads: "new threads",
  uploads: "uploads",
  requests: "requests",
};
