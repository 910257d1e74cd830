import { createHmac } from "node:crypto";
import { hostSecret } from "./server-backend.ts";

/** The token with which a host identifies its visitor: a JWT, HS256 (RFC 7519, RFC 7515). */
export function tokenOf(visitor: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ sub: visitor, exp: 4_000_000_000 })}`;
  return `${signed}.${createHmac("sha256", hostSecret).update(signed).digest("base64url")}`;
}
