import { createHash, timingSafeEqual } from "node:crypto";
import { cookieValues, createSigner } from "@nitka/server/desk-kit";
import type { Forwarded } from "@nitka/server/desk-kit";

/** An operator who may sign in. Two keys with the same name are both accepted, so that a key can be changed. */
export interface DeskOperator {
  /** Appears in the log. Without it, the log does not say which operator acted. */
  readonly name?: string;
  /** At least 16 characters, the same on every instance. */
  readonly key: string;
}

/**
 * The session of an operator: a cookie `<expiry time>.<signature>`, signed with a key derived from the operator's. A
 * program that reads figures sends the key itself, as a bearer token.
 */
export interface DeskSession {
  /** The operator with this key. Takes the same time for every wrong key. */
  operatorWith(key: string): DeskOperator | undefined;
  /** The operator who sends a request. A bearer token takes precedence over a cookie. */
  operatorOf(request: Request): DeskOperator | undefined;
  /** The `Set-Cookie` header that opens a session. */
  open(request: Request, operator: DeskOperator): string;
  /** The `Set-Cookie` header that ends the session in this browser. */
  close(request: Request): string;
}

const NAME = "nitka_desk";

/** An operator signs in again after twelve hours. */
const SESSION_S = 12 * 3_600;

export interface DeskSessionOptions extends Pick<Forwarded, "isSecure"> {
  readonly operators: readonly DeskOperator[];
  /** The path for which the browser sends the cookie. */
  readonly path: string;
  readonly clock: () => Date;
}

export function createDeskSession({ operators, path, clock, isSecure }: DeskSessionOptions): DeskSession {
  const signers = operators.map((operator) => ({ operator, signer: createSigner([operator.key], "desk session") }));
  const nowS = () => Math.floor(clock().getTime() / 1_000);
  const line = (request: Request, value: string, seconds: number) =>
    `${NAME}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure(request) ? "; Secure" : ""}`;

  function operatorWith(key: string): DeskOperator | undefined {
    // Digests have equal lengths, which `timingSafeEqual` requires.
    return operators.find((operator) => timingSafeEqual(digest(key), digest(operator.key)));
  }

  function operatorOfCookie(value: string): DeskOperator | undefined {
    const [end = "", signature = ""] = value.split(".");
    if (Number(end) <= nowS()) return undefined;
    return signers.find(({ signer }) => signer.verify(end, signature))?.operator;
  }

  return {
    operatorWith,

    operatorOf(request) {
      const key = bearerOf(request);
      if (key !== undefined) return operatorWith(key);
      return cookieValues(request, NAME).map(operatorOfCookie).find(Boolean);
    },

    open(request, operator) {
      const end = String(nowS() + SESSION_S);
      const signature = signers.find((each) => each.operator === operator)?.signer.sign(end) ?? "";
      return line(request, `${end}.${signature}`, SESSION_S);
    },

    close: (request) => line(request, "", 0),
  };
}

/** The bearer token of a request. */
export function bearerOf(request: Request): string | undefined {
  return /^Bearer +(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
