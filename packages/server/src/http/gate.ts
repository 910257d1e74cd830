/**
 * The rate limits of visitors, addresses and projects: which requests count how much against which limit.
 * `rate-limit.ts` counts, and `client-address.ts` defines what one address is. Each process counts separately.
 */
import { ChatError } from "../chat-error.ts";
import { secondsToMidnight } from "../services/projects/token-budget.ts";
import { defaultLimits } from "../services/projects/project.ts";
import type { Limits } from "../services/projects/project.ts";
import type { ReadyProject } from "../services/projects/ready-projects.ts";
import type { Admission } from "../services/questions/run-service.ts";
import { RETRY_AFTER_S } from "../services/timings.ts";
import type { ClientNetwork } from "./client-address.ts";
import { createDayBytes, createRateLimiter } from "./rate-limit.ts";
import type { Allowance } from "./rate-limit.ts";

/** The project, networks and visitor whose limits a request counts against. */
export interface Caller {
  readonly project: Pick<ReadyProject, "id" | "limits">;
  readonly networks: readonly ClientNetwork[];
  readonly visitorId: string;
}

export interface Gate {
  /** Counts a request. */
  admitRequest(caller: Omit<Caller, "visitorId">): void;
  /**
   * Counts a request that is answered without the storage: a preflight, a page of the server, an unknown address or
   * project. These requests have a separate count with the same limit per minute, since a preflight precedes each
   * request.
   *
   * @param caller without a project if there is none: then the most generous limit of all projects applies
   */
  admitLight(caller: Pick<Caller, "networks"> & Partial<Pick<Caller, "project">>): void;
  /** Counts a new visitor. */
  admitVisitor(caller: Omit<Caller, "visitorId">): void;
  /** Counts a new thread or upload. */
  take(name: "threads" | "uploads", caller: Caller): void;
  /** Counts bytes of a file as they arrive. They also count when the file is refused in the end. */
  takeBytes(bytes: number, caller: Caller): void;
  /** Counts a question, and the place that its run takes among the concurrent runs. */
  admitQuestion(caller: Caller): Admission;
}

/** A request that stores a visitor, a thread or a file counts as this many more requests of its address. */
const KEPT_COST = 4;

/**
 * Every method of the gate can throw.
 *
 * @throws ChatError `rate_limited`, `storage_exceeded` or `overloaded`
 */
export function createGate(clock: () => Date, projects: ReadonlyMap<string, Caller["project"]>): Gate {
  // Computed at each call, because the projects may be replaced.
  const nowhere = () => ({ id: "", limits: mostGenerous([...projects.values()]) });
  const limiter = createRateLimiter(clock);
  const places = createPlaces();
  const dayBytes = createDayBytes(clock);

  return {
    admitRequest: (caller) => void limiter.take(requests(caller, 1)),
    admitLight: ({ project = nowhere(), networks }) => void limiter.take(requests({ project, networks }, 1, "light")),
    admitVisitor: (caller) => void limiter.take(requests(caller, KEPT_COST)),
    take(name, caller) {
      const perMinute = caller.project.limits[`${name}PerMinute`];
      limiter.take([{ name, of: "visitor", key: visitorKey(caller), perMinute }, ...requests(caller, KEPT_COST)]);
    },
    takeBytes(bytes, { project, networks }) {
      const { addressStorageBytesPerDay: perDay } = project.limits;
      if (perDay === null) return;
      const allowances = networks.map(({ key, share }) => ({ key: `${project.id}\n${key}`, perDay: perDay * share }));
      if (dayBytes.add(allowances, bytes)) return;
      throw new ChatError("storage_exceeded", "This address has reached its daily limit for files.", {
        retryAfter: secondsToMidnight(clock()),
        limit: "addressStorageBytesPerDay",
      });
    },
    admitQuestion(caller) {
      const { addressMessagesPerMinute, messagesPerMinute } = caller.project.limits;
      const leave = places.enter(placesOf(caller));
      let refund: () => void;
      try {
        refund = limiter.take([
          { name: "messages", of: "visitor", key: visitorKey(caller), perMinute: messagesPerMinute },
          ...ofNetworks(caller, { name: "messages", perMinute: addressMessagesPerMinute }),
        ]);
      } catch (error) {
        leave();
        throw error;
      }
      return {
        refused() {
          refund();
          leave();
        },
        ended: leave,
      };
    },
  };
}

function mostGenerous(projects: readonly Caller["project"][]): Limits {
  const perMinute = projects.map(({ limits }) => limits.requestsPerMinute ?? Infinity);
  const most = Math.max(...perMinute);
  return { ...defaultLimits, requestsPerMinute: most === Infinity ? null : most };
}

function requests(
  caller: Omit<Caller, "visitorId">,
  cost: number,
  name: "requests" | "light" = "requests",
): readonly Allowance[] {
  return ofNetworks(caller, { name, perMinute: caller.project.limits.requestsPerMinute, cost });
}

function ofNetworks(
  { project, networks }: Omit<Caller, "visitorId">,
  { perMinute, ...allowance }: Omit<Allowance, "of" | "key">,
): readonly Allowance[] {
  return networks.map(({ key, share }) => ({
    ...allowance,
    of: "address",
    key: `${project.id}\n${key}`,
    perMinute: perMinute === null ? null : perMinute * share,
  }));
}

function visitorKey({ project, visitorId }: Caller): string {
  return `${project.id}\n${visitorId}`;
}

/** The count of concurrent runs of an address or a project. */
interface Place {
  readonly key: string;
  /** The most concurrent runs; `null` for no limit. */
  readonly limit: number | null;
  readonly refusal: () => ChatError;
}

function placesOf({ project, networks }: Caller): readonly Place[] {
  const { addressRunsAtOnce, projectRunsAtOnce } = project.limits;
  return [
    ...networks.map(({ key, share }) => ({
      // The key does not contain the project: an address that asks in every project could otherwise take all runs of
      // the process.
      key: `address\n${key}`,
      limit: addressRunsAtOnce === null ? null : addressRunsAtOnce * share,
      refusal: () =>
        new ChatError(
          "rate_limited",
          "Too many answers are already being written for this address. Wait until one has ended.",
          {
            retryAfter: RETRY_AFTER_S.run,
            limit: "addressRunsAtOnce",
          },
        ),
    })),
    {
      key: `project\n${project.id}`,
      limit: projectRunsAtOnce,
      refusal: () =>
        new ChatError(
          "overloaded",
          "This project has reached its limit of concurrent runs. Try again in a few seconds.",
          {
            retryAfter: RETRY_AFTER_S.run,
            limit: "projectRunsAtOnce",
          },
        ),
    },
  ];
}

interface Places {
  /** Counts one more run in all places, or in none. Returns a function that releases the places. */
  enter(places: readonly Place[]): () => void;
}

function createPlaces(): Places {
  const taken = new Map<string, number>();
  return {
    enter(places) {
      for (const { key, limit, refusal } of places) {
        if (limit !== null && (taken.get(key) ?? 0) >= limit) throw refusal();
      }
      for (const { key } of places) taken.set(key, (taken.get(key) ?? 0) + 1);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        for (const { key } of places) {
          const others = (taken.get(key) ?? 1) - 1;
          if (others > 0) taken.set(key, others);
          else taken.delete(key);
        }
      };
    },
  };
}
