/** The log of requests that a limit has refused: which addresses exceed which limit, in few lines. */
import type { Log, LogFields } from "../services/log.ts";
import { REFUSALS_MS } from "../services/timings.ts";
import { createSummaryTimer } from "../services/waiting/summary-timer.ts";
import type { ClientNetwork } from "./client-address.ts";

/** A request that a limit has refused. */
export interface Refusal {
  readonly code: string;
  /** The name of the limit in a project's `limits` or in the options. */
  readonly limit: string;
  readonly networks: readonly ClientNetwork[];
}

export interface RefusalLog {
  /** @param fields the fields of the request's log line */
  add(refusal: Refusal, fields: LogFields): void;
  /** Logs the counted refusals. */
  stop(): void;
}

/** The most lines for single refusals per interval, and for sums at its end: an attack must not fill the disk. */
const MOST_LINES = 20;

/** The most kinds of refusals (pairs of a limit and an address block) that are counted separately per interval. */
const MOST_KINDS = 10_000;

interface Counted {
  readonly fields: LogFields;
  times: number;
}

/**
 * The first refusal of each address block by each limit is logged at once, with its request. At the end of a minute one
 * line says how many followed.
 */
export function createRefusalLog(logger: Pick<Log, "warn">): RefusalLog {
  let kinds = new Map<string, Counted>();
  let uncounted = 0;

  const summary = createSummaryTimer(REFUSALS_MS, () => {
    const more = [...kinds.values()].filter(({ times }) => times > 0).toSorted((one, other) => other.times - one.times);
    for (const { fields, times } of more.slice(0, MOST_LINES))
      logger.warn({ ...fields, times }, "requests were refused");
    const rest = more.slice(MOST_LINES);
    const times = rest.reduce((sum, each) => sum + each.times, uncounted);
    if (times > 0) logger.warn({ times, blocks: rest.length }, "requests of more address blocks were refused");
    kinds = new Map();
    uncounted = 0;
  });

  return {
    add({ code, limit, networks }, request) {
      const fields = { code, limit, block: blockOf(networks) };
      const key = JSON.stringify(fields);
      const known = kinds.get(key);
      if (known) known.times += 1;
      else if (kinds.size >= MOST_KINDS) uncounted += 1;
      else {
        const isShown = kinds.size < MOST_LINES;
        kinds.set(key, { fields, times: isShown ? 0 : 1 });
        if (isShown) logger.warn({ ...request, ...fields }, "a request was refused");
      }
      summary.start();
    },
    stop: summary.stop,
  };
}

/**
 * The block of addresses that a request came from: enough to locate and block an attack without identifying one
 * household.
 *
 * @example
 * blockOf([{ key: "192.0.2.7", share: 1 }]) // "192.0.2.0/24"
 * blockOf([{ key: "2001:db8:0:0", share: 1 }, { key: "2001:db8:0", share: 4 }]) // "2001:db8:0::/48"
 */
export function blockOf(networks: readonly ClientNetwork[]): string {
  const widest = networks.at(-1)?.key ?? "unknown";
  if (networks.length > 1) return `${widest}::/48`;
  const v4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(widest)?.[1];
  return v4 === undefined ? widest.slice(0, 64) : `${v4}.0/24`;
}
