/** The session of an operator: a cookie `<time of its end>.<signature>`, signed with a key made of the desk's. */
import { createHash, timingSafeEqual } from "node:crypto";
import { cookieValues, createSigner } from "@nitka/server/desk-kit";
import type { Forwarded } from "@nitka/server/desk-kit";

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
