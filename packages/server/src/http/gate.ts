/** How much a visitor, an address and a project may ask of this process. Other processes count for themselves. */
import { ChatError } from "../chat-error.ts";
import { secondsToMidnight } from "../services/midnight.ts";
import type { ReadyProject } from "../services/projects.ts";
import type { Admission } from "../services/run-service.ts";
import type { ClientNetwork } from "./client-address.ts";
import { createDayBytes } from "./day-bytes.ts";
import { createRateLimiter } from "./rate-limit.ts";
import type { Allowance } from "./rate-limit.ts";

/** Who asks for something, and from where. */
export interface Caller {
  readonly project: Pick<ReadyProject, "id" | "limits">;
  readonly networks: readonly ClientNetwork[];
  readonly visitorId: string;
}

export interface Gate {
  /** A request, whoever makes it. */
  enter(caller: Omit<Caller, "visitorId">): void;
  /** A visitor is made for somebody who came without a credential. */
  welcome(caller: Omit<Caller, "visitorId">): void;
  /** A thread or a file is made. */
  take(name: "threads" | "uploads", caller: Caller): void;
  /** A file's bytes come, to be kept. What has come counts, whatever becomes of it. */
  takeBytes(bytes: number, caller: Caller): void;
  /** A question is about to be answered. What it takes is given back when no run comes of it. */
  admit(caller: Caller): Admission;
}

/** What leaves something behind costs its address as much as so many more requests. */
const KEPT_COST = 4;

/** @throws ChatError `rate_limited`, `storage_exceeded` or `overloaded` from each of its methods */
export function createGate(clock: () => Date): Gate {
  const limiter = createRateLimiter(clock);
  const places = createPlaces();
  const dayBytes = createDayBytes(clock);

  return {
    enter: (caller) => void limiter.take(requests(caller, 1)),
    welcome: (caller) => void limiter.take(requests(caller, KEPT_COST)),
    take(name, caller) {
      const perMinute = caller.project.limits[`${name}PerMinute`];
      limiter.take([{ name, of: "visitor", key: visitorKey(caller), perMinute }, ...requests(caller, KEPT_COST)]);
    },
    takeBytes(bytes, { project, networks }) {
      const { addressStorageBytesPerDay: perDay } = project.limits;
      if (perDay === null) return;
      const allowances = networks.map(({ key, share }) => ({ key: `${project.id}\n${key}`, perDay: perDay * share }));
      if (dayBytes.add(allowances, bytes)) return;
      throw new ChatError("storage_exceeded", "As many files as may be have come from this address today.", {
        retryAfter: secondsToMidnight(clock()),
      });
    },
    admit(caller) {
      const { addressMessagesPerMinute, messagesPerMinute } = caller.project.limits;
      const leave = places.hold(placesOf(caller));
      let giveBack: () => void;
      try {
        giveBack = limiter.take([
          { name: "messages", of: "visitor", key: visitorKey(caller), perMinute: messagesPerMinute },
          ...ofNetworks(caller, { name: "messages", perMinute: addressMessagesPerMinute }),
        ]);
      } catch (error) {
        leave();
        throw error;
      }
      return {
        refused() {
          giveBack();
          leave();
        },
        ended: leave,
      };
    },
  };
}

function requests(caller: Omit<Caller, "visitorId">, cost: number): readonly Allowance[] {
  return ofNetworks(caller, { name: "requests", perMinute: caller.project.limits.requestsPerMinute, cost });
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

/** Where a run takes up room while it goes on. */
interface Place {
  readonly key: string;
  readonly limit: number | null;
  readonly refusal: () => ChatError;
}

function placesOf({ project, networks }: Caller): readonly Place[] {
  const { addressRunsAtOnce, projectRunsAtOnce } = project.limits;
  return [
    ...networks.map(({ key, share }) => ({
      // Of all projects together: an address that asks in each of them would take the process's places else.
      key: `address\n${key}`,
      limit: addressRunsAtOnce === null ? null : addressRunsAtOnce * share,
      refusal: () =>
        new ChatError("rate_limited", "Too many answers are being written for this address already. Wait for one.", {
          retryAfter: 5,
        }),
    })),
    {
      key: `project\n${project.id}`,
      limit: projectRunsAtOnce,
      refusal: () =>
        new ChatError("overloaded", "This project has as many answers written as it may. Try again in a few seconds.", {
          retryAfter: 5,
        }),
    },
  ];
}

interface Places {
  /** Takes a place of each, or of none. Returns what leaves them again. */
  hold(places: readonly Place[]): () => void;
}

function createPlaces(): Places {
  const taken = new Map<string, number>();
  return {
    hold(places) {
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
