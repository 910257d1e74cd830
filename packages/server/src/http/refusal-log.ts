/** The log of what is refused because of a limit: who asks too much, and which limit it was, in few lines. */
import type { Log, LogFields } from "../services/log.ts";
import { REFUSALS_MS } from "../services/timings.ts";
import type { ClientNetwork } from "./client-address.ts";

/** A request that a limit has refused. */
export interface Refusal {
  readonly code: string;
  /** The name of the limit, as in a project's `limits` or among the options. */
  readonly limit: string;
  readonly networks: readonly ClientNetwork[];
}

export interface RefusalLog {
  /** @param fields of the request's line in the log */
  add(refusal: Refusal, fields: LogFields): void;
  /** Logs what has been counted. */
  stop(): void;
}

/** Lines of single refusals in a time, and of sums at its end: an attack must not fill the disk. */
const MOST_LINES = 20;

/** The kinds of refusals that are told apart in a time: limits of address blocks. */
const MOST_KINDS = 10_000;

interface Counted {
  readonly fields: LogFields;
  times: number;
}

/**
 * The first refusal of each address block by each limit is a line with its request. At the end of a minute one line says how many
 * followed.
 */
export function createRefusalLog(logger: Pick<Log, "warn">): RefusalLog {
  let kinds = new Map<string, Counted>();
  let uncounted = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function sumUp(): void {
    clearTimeout(timer);
    timer = undefined;
    const more = [...kinds.values()].filter(({ times }) => times > 0).toSorted((one, other) => other.times - one.times);
    for (const { fields, times } of more.slice(0, MOST_LINES))
      logger.warn({ ...fields, times }, "requests were refused");
    const rest = more.slice(MOST_LINES);
    const times = rest.reduce((sum, each) => sum + each.times, uncounted);
    if (times > 0) logger.warn({ times, blocks: rest.length }, "requests of more address blocks were refused");
    kinds = new Map();
    uncounted = 0;
  }

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
      // A request that came before the end may be refused after it.
      if (!isStopped) timer ??= setTimeout(sumUp, REFUSALS_MS).unref();
    },
    stop() {
      isStopped = true;
      sumUp();
    },
  };
}

/**
 * The block of addresses that a request came from: enough to see where an attack comes from, and to block it, without naming
 * one household.
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
