import { errors, jwtVerify } from "jose";
import { ChatError } from "../chat-error.ts";
import { VISITOR_TOKEN_TYPE } from "../visitor-token-type.ts";

/** The most characters of a `sub`. It becomes part of every key under which the visitor's data is stored. */
const MAX_SUBJECT_CHARS = 200;

/** The most bytes of the claims as JSON, without the registered ones. */
const MAX_CLAIMS_BYTES = 4_096;

/** The contents of a host's token. */
export interface HostToken {
  /** The host's id of the visitor. */
  readonly sub: string;
  /** The claims, except for the registered ones (RFC 7519, section 4.1). */
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * Reads a host's JWT (RFC 7519, signed with HS256).
 *
 * @param secret the key that the project and its host share
 * @throws ChatError `unauthorized`, saying what is wrong with the token
 */
export async function readHostToken(token: string, secret: string, projectId: string, now: Date): Promise<HostToken> {
  const { sub, aud, iss: _, exp: __, nbf: ___, iat: ____, jti: _____, ...claims } = await verified(token, secret, now);
  const problem = hostVisitorProblem(sub, claims);
  if (problem !== undefined || typeof sub !== "string") throw refusal(problem ?? "it has no sub");
  if (aud !== undefined && ![aud].flat().includes(projectId)) throw refusal("its aud is another project");
  return { sub, claims };
}

/** The problem with the host's data about a visitor; `undefined` for valid data. */
export function hostVisitorProblem(sub: unknown, claims: unknown): string | undefined {
  if (typeof sub !== "string" || sub === "" || sub.length > MAX_SUBJECT_CHARS || /\p{Cc}|\p{Cs}/u.test(sub)) {
    return `its sub must be a text of 1 to ${MAX_SUBJECT_CHARS} characters`;
  }
  if (typeof claims !== "object" || claims === null || Array.isArray(claims)) return "its claims must be an object";
  if (Buffer.byteLength(JSON.stringify(claims)) > MAX_CLAIMS_BYTES) {
    return `its claims beside the registered ones take more than ${MAX_CLAIMS_BYTES} bytes`;
  }
  return undefined;
}

async function verified(token: string, secret: string, now: Date) {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, new TextEncoder().encode(secret), {
      algorithms: ["HS256"],
      requiredClaims: ["sub", "exp"],
      currentDate: now,
    });
    if (protectedHeader.typ !== VISITOR_TOKEN_TYPE) return payload;
  } catch (cause) {
    throw refusal(reasonOf(cause), { cause });
  }
  throw refusal("this server signed it for an MCP server");
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "it has expired";
  if (error instanceof errors.JWTClaimValidationFailed) return `its claim ${error.claim} is missing or invalid`;
  if (error instanceof errors.JOSEAlgNotAllowed) return "it must be signed with HS256";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "its signature does not match";
  return "it cannot be read";
}

function refusal(reason: string, options?: ErrorOptions): ChatError {
  return new ChatError("unauthorized", `The visitor's token is not accepted: ${reason}.`, options);
}
