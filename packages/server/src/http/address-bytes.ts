import { ChatError } from "../chat-error.ts";
import type { ByteBudget, ByteReservation } from "../services/files/byte-budget.ts";
import { RETRY_AFTER_S } from "../services/timings.ts";
import type { ClientNetwork } from "./client-address.ts";
import { COPIES } from "./read-body.ts";
import { jsonLimits } from "./read-json.ts";

/**
 * The share of the byte budget that the bodies of one address can hold at one time: even with three slow addresses,
 * others have room.
 */
const SHARE = 1 / 4;

/** Reserves memory for bodies while they arrive: from the whole budget, and from the share of their address. */
export interface AddressBytes {
  /** @throws ChatError `rate_limited` from `add` when the address has no more room; also the errors of the budget */
  reserve(networks: readonly ClientNetwork[]): ByteReservation;
}

export function createAddressBytes(budget: ByteBudget): AddressBytes {
  // The largest body must always fit.
  const limit = Math.max(budget.limit * SHARE, COPIES * jsonLimits.withFiles);
  const held = new Map<string, number>();
  const heldBy = (key: string) => held.get(key) ?? 0;
  return {
    reserve(networks) {
      const whole = budget.reserve();
      let reserved = 0;
      const count = (bytes: number) => {
        reserved += bytes;
        for (const { key } of networks) {
          if (heldBy(key) + bytes > 0) held.set(key, heldBy(key) + bytes);
          else held.delete(key);
        }
      };
      return {
        ...whole,
        add(bytes) {
          if (networks.some(({ key, share }) => heldBy(key) + bytes > limit * share)) throw tooMuch();
          whole.add(bytes);
          count(bytes);
        },
        release() {
          whole.release();
          count(-reserved);
        },
      };
    },
  };
}

function tooMuch(): ChatError {
  return new ChatError("rate_limited", "This address sends too much at one time. Try again in a few seconds.", {
    retryAfter: RETRY_AFTER_S.bytes,
    limit: "addressBufferedBytes",
  });
}
