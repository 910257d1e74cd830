import { z } from "zod";
import { ChatError } from "@nitka/server";
import type { Log } from "@nitka/server";
import { readJson } from "@nitka/server/desk-kit";
import type { ByteBudget, RateLimiter } from "@nitka/server/desk-kit";
import type { DeskSession } from "../desk-session.ts";
import { emptyResponse, jsonResponse } from "./desk-call.ts";
import type { DeskRoute } from "./desk-call.ts";

export interface SessionRouteOptions {
  readonly session: DeskSession;
  readonly limiter: RateLimiter;
  readonly buffers: ByteBudget;
  readonly logger: Log;
  /** See `Timings`. */
  readonly slowBodyMs: number;
}

/** Tries of one address to sign in. The key is too long to be guessed at any pace; this keeps the log short. */
const TRIES_PER_MINUTE = 10;

const body = z.strictObject({ key: z.string().max(1_000) });

/** Signing in and out. */
export function sessionRoute({ session, limiter, buffers, logger, slowBodyMs }: SessionRouteOptions): DeskRoute {
  return {
    path: "/session",
    isPublic: true,
    methods: {
      GET: async ({ request }) => jsonResponse({ isOpen: session.isOpen(request) }),

      async POST({ request, address, requestId }) {
        limiter.take([{ name: "sign-ins", of: "address", key: address, perMinute: TRIES_PER_MINUTE }]);
        const reservation = buffers.reserve();
        try {
          const parsed = body.safeParse((await readJson(request, false, { reservation, slowBodyMs })).value);
          if (!parsed.success) throw new ChatError("unprocessable", 'The body must be { "key": "…" }.');
          const isKey = session.isKey(parsed.data.key);
          logger[isKey ? "info" : "warn"](
            { requestId, address },
            isKey ? "an operator signed in" : "a wrong key at the desk",
          );
          if (!isKey) throw new ChatError("unauthorized", "This is not the desk's key.");
          return emptyResponse({ "set-cookie": session.open(request) });
        } finally {
          reservation.release();
        }
      },

      DELETE: async ({ request }) => emptyResponse({ "set-cookie": session.close(request) }),
    },
  };
}
