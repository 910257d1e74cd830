import { z } from "zod";
import { ChatError } from "@nitka/server";
import type { Log } from "@nitka/server";
import { readJson, unprocessable } from "@nitka/server/desk-kit";
import type { ByteBudget } from "@nitka/server/desk-kit";
import { emptyResponse, jsonResponse } from "./desk-call.ts";
import type { DeskRoute } from "./desk-call.ts";
import type { DeskSession } from "./desk-session.ts";

export interface SessionRouteOptions {
  readonly session: DeskSession;
  /** Counts a sign-in attempt. Throws a ChatError beyond the limit. */
  readonly countTry: (address: string) => void;
  readonly buffers: ByteBudget;
  readonly logger: Log;
  /** See `Timings`. */
  readonly slowBodyMs: number;
}

const body = z.strictObject({ key: z.string().max(1_000) });

/** Signing in and out. */
export function sessionRoute({ session, countTry, buffers, logger, slowBodyMs }: SessionRouteOptions): DeskRoute {
  return {
    path: "/session",
    isPublic: true,
    methods: {
      async GET({ request }) {
        const operator = session.operatorOf(request);
        return jsonResponse({
          isOpen: operator !== undefined,
          ...(operator?.name !== undefined && { operator: operator.name }),
        });
      },

      async POST({ request, address, requestId }) {
        countTry(address);
        const reservation = buffers.reserve();
        try {
          const parsed = body.safeParse((await readJson(request, false, { reservation, slowBodyMs })).value);
          if (!parsed.success) throw unprocessable('The body must be { "key": "…" }.');
          const operator = session.operatorWith(parsed.data.key);
          if (!operator) throw wrongKey(logger, { requestId, address });
          const { name } = operator;
          logger.info({ requestId, address, ...(name !== undefined && { operator: name }) }, "an operator signed in");
          return emptyResponse({ "set-cookie": session.open(request, operator) });
        } finally {
          reservation.release();
        }
      },

      DELETE: async ({ request }) => emptyResponse({ "set-cookie": session.close(request) }),
    },
  };
}

/** Logs an unknown key, and returns the error for it. */
export function wrongKey(logger: Log, fields: { readonly requestId: string; readonly address: string }): ChatError {
  logger.warn(fields, "a wrong key at the desk");
  return new ChatError("unauthorized", "This is not the desk's key.");
}
