import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { ChatError } from "@nitka/server";
import type { Log } from "@nitka/server";
import { cookieValues, createSigner, readJson } from "@nitka/server/desk-kit";
import type { ByteBudget, Forwarded, RateLimiter } from "@nitka/server/desk-kit";
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

/** The session of an operator: a cookie `<time of its end>.<signature>`, signed with a key made of the desk's. */
export interface DeskSession {
  /** Whether a text is the desk's key, in the same time for every wrong one. */
  isKey(given: string): boolean;
  isOpen(request: Request): boolean;
  /** The `Set-Cookie` header that opens a session. */
  open(request: Request): string;
  /** The `Set-Cookie` header that ends it in this browser. */
  close(request: Request): string;
}

const NAME = "nitka_desk";

/** An operator signs in again after twelve hours. */
const SESSION_S = 12 * 3_600;

export interface DeskSessionOptions extends Pick<Forwarded, "isSecure"> {
  readonly key: string;
  /** The path that the cookie is sent to. */
  readonly path: string;
  readonly clock: () => Date;
}

export function createDeskSession({ key, path, clock, isSecure }: DeskSessionOptions): DeskSession {
  const signer = createSigner([key], "desk session");
  const nowS = () => Math.floor(clock().getTime() / 1_000);
  const line = (request: Request, value: string, seconds: number) =>
    `${NAME}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure(request) ? "; Secure" : ""}`;
  return {
    // Of equal length as digests, which `timingSafeEqual` needs.
    isKey: (given) => timingSafeEqual(digest(given), digest(key)),

    isOpen: (request) =>
      cookieValues(request, NAME).some((value) => {
        const [end = "", signature = ""] = value.split(".");
        return signer.verify(end, signature) && Number(end) > nowS();
      }),

    open(request) {
      const end = String(nowS() + SESSION_S);
      return line(request, `${end}.${signer.sign(end)}`, SESSION_S);
    },

    close: (request) => line(request, "", 0),
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
