/** The host's own decisions about a request: who sends it, and whether it is accepted. */
import { ChatError, HostRefusal } from "../chat-error.ts";
import { describeError } from "../services/describe-error.ts";
import type { Log } from "../services/log.ts";
import type { Timings } from "../services/timings.ts";
import { LATE, within } from "../services/waiting/within.ts";
import { hostVisitorProblem } from "./host-token.ts";
import type { HostToken } from "./host-token.ts";
import type { Visitor } from "./visitor-credentials.ts";

/** The sender of a request, as the host identifies them. */
export interface IdentifiedVisitor {
  /** The host's id of the visitor, as in its tokens: 1 to 200 characters. */
  readonly sub: string;
  /** Data that a project may share with its models and tool servers: at most 4 KB as JSON. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

export type Identify = (
  request: Request,
) => IdentifiedVisitor | null | undefined | Promise<IdentifiedVisitor | null | undefined>;

/** What the visitor wants to do, and who the visitor is. */
export interface AdmitContext {
  readonly visitor: {
    /** The id on this server, as in the log. */
    readonly id: string;
    /** The host's id of the visitor, if the host identifies them. */
    readonly sub?: string;
    readonly claims?: Readonly<Record<string, unknown>>;
  };
  /** The project's id. */
  readonly project: string;
  readonly call: "thread" | "question" | "upload";
}

/** A refusal: what the response says. */
export interface AdmitRefusal {
  /** 400 to 599. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number;
}

/** Returns nothing to accept. The request has no body, because the server reads it. */
export type Admit = (
  request: Request,
  context: AdmitContext,
) => AdmitRefusal | null | undefined | void | Promise<AdmitRefusal | null | undefined | void>;

export interface HostChecks {
  /**
   * @throws ChatError `unavailable` when the host has not answered in time
   * @throws TypeError for an answer without a valid visitor
   */
  identify(request: Request): Promise<HostToken | undefined>;
  /**
   * If the host fails or is late, the request is accepted.
   *
   * @throws HostRefusal
   */
  admit(request: Request, visitor: Visitor, context: Omit<AdmitContext, "visitor">): Promise<void>;
}

export interface HostChecksOptions {
  readonly identify?: Identify | undefined;
  readonly admit?: Admit | undefined;
  readonly logger: Log;
  readonly timings: Pick<Timings, "admitMs" | "identifyMs">;
}

export function createHostChecks({ identify, admit, logger, timings }: HostChecksOptions): HostChecks {
  return {
    async identify(request) {
      if (!identify) return undefined;
      const asked = (async () => identify(withoutBody(request)))();
      const found = await within(asked, timings.identifyMs);
      if (found === LATE) throw new ChatError("unavailable", "The visitor could not be identified in time. Try again.");
      if (found === undefined || found === null) return undefined;
      const { sub, claims = {} } = found;
      const problem = hostVisitorProblem(sub, claims);
      if (problem !== undefined) throw new TypeError(`identify(request) cannot be used: ${problem}.`);
      return { sub, claims };
    },

    async admit(request, visitor, context) {
      if (!admit) return;
      const named = { project: context.project, call: context.call, visitorId: visitor.visitorId };
      let answer: unknown;
      try {
        const asked = (async () => admit(withoutBody(request), { ...context, visitor: visitorOf(visitor) }))();
        answer = await within<unknown>(asked, timings.admitMs);
      } catch (error) {
        if (error instanceof ChatError) throw error;
        logger.warn({ ...named, error: describeError(error) }, "admit failed: the visitor is admitted");
        return;
      }
      if (answer === undefined || answer === null) return;
      if (answer === LATE)
        return logger.warn({ ...named, waitedMs: timings.admitMs }, "admit timed out: the visitor is admitted");
      if (typeof answer !== "object") {
        return logger.warn(
          { ...named, answer: typeof answer },
          "admit returned neither nothing nor a refusal: the visitor is admitted",
        );
      }
      throw refusalOf(answer, (problem) =>
        logger.warn({ ...named, problem }, "admit returned a refusal with an invalid field"),
      );
    },
  };
}

/** A refusal that can be sent. Invalid fields are replaced, since the host does not want to accept the request. */
function refusalOf(answer: object, report: (problem: string) => void): HostRefusal {
  const { status, code, message, retryAfter } = answer as Readonly<Record<keyof AdmitRefusal, unknown>>;
  const good = <T>(name: string, isGood: boolean, value: unknown, otherwise: T): T => {
    if (!isGood) report(`${name} is ${JSON.stringify(value)}`);
    return isGood ? (value as T) : otherwise;
  };
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  const isStatus = Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599;
  const isDelay = retryAfter === undefined || (typeof retryAfter === "number" && retryAfter >= 0 && retryAfter < 1e9);
  return new HostRefusal({
    status: good("status", isStatus, status, 403),
    code: good("code", isText(code), code, "refused"),
    message: good("message", isText(message), message, "The site refuses this request."),
    retryAfter: good<number | undefined>("retryAfter", isDelay, retryAfter, undefined),
  });
}

function visitorOf(visitor: Visitor): AdmitContext["visitor"] {
  return visitor.by === "host"
    ? { id: visitor.visitorId, sub: visitor.sub, claims: visitor.claims }
    : { id: visitor.visitorId };
}

/** The same request without its body, for the host: only the server reads the body. */
function withoutBody({ url, method, headers, signal }: Request): Request {
  return new Request(url, { method, headers, signal });
}
