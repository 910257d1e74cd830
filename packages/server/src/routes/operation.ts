/** What an operation of the HTTP interface is: for the router, for the checks before its handler, and for the OpenAPI document. */
import type { z } from "zod";
import type { NodeBindings } from "../http/node-bindings.ts";
import type { Visitor } from "../http/visitor-credentials.ts";
import type { FrameSink } from "../services/runs/frame-sink.ts";
import type { LogFields } from "../services/log.ts";
import type { Owner } from "../services/owner.ts";
import type { ReadyProject } from "../services/projects/ready-projects.ts";
import type { Admission } from "../services/questions/run-service.ts";

/** A request to an operation: its visitor is identified, its body and query have passed the operation's schemas. */
export interface OperationRequest<Body = undefined, Query = undefined> {
  readonly request: Request;
  readonly requestId: string;
  /** See `Timings`. */
  readonly slowBodyMs: number;
  /** Adds fields to the request's line in the log. */
  readonly note: (fields: LogFields) => void;
  readonly bindings: NodeBindings;
  readonly project: ReadyProject;
  readonly visitor: Visitor;
  /** The browser says that the page is of another site, where an ordinary cookie is not kept. */
  readonly crossSite: boolean;
  readonly owner: Owner;
  /** Whether the request's path begins with `/p/{projectId}/`. */
  readonly underProjectPath: boolean;
  /** The `:id` of the path. `NO_ID` where it cannot be an id, or where the path has none. */
  readonly id: string;
  /** The `:messageId` of the path. `NO_ID` where it cannot be one, or where the path has none. */
  readonly messageId: string;
  readonly body: Body;
  readonly query: Query;
  /**
   * Counts one thread or upload against the visitor's limit for a minute, and asks the host.
   *
   * @throws ChatError `rate_limited`
   * @throws HostRefusal
   */
  readonly take: (name: "threads" | "uploads") => Promise<void>;
  /**
   * Counts bytes of files against the address's limit for a day.
   *
   * @throws ChatError `storage_exceeded`
   */
  readonly takeBytes: (bytes: number) => void;
  /**
   * Admits a question to a model, and asks the host.
   *
   * @throws HostRefusal
   * @throws ChatError `rate_limited` or `overloaded` when the visitor, their address or the project may not ask now
   */
  readonly admit: () => Promise<Admission>;
}

/** No thread, no attachment and no message has this id, so that looking for it ends in `not_found`. */
export const NO_ID = "";

/** What a handler returns. The headers that all responses share are added by `handleRequest`. */
export type OperationResponse =
  | { readonly type: "json"; readonly value: unknown }
  | {
      readonly type: "empty";
      readonly status: 204 | 304;
      readonly headers?: Readonly<Record<string, string>>;
      /** The visitor is erased: the browser is to drop the cookie. */
      readonly dropsCookie?: true;
    }
  | {
      readonly type: "pieces";
      readonly status: 200 | 206;
      readonly headers: Readonly<Record<string, string>>;
      /** Read as fast as the connection takes them (backpressure). */
      readonly pieces: AsyncIterable<string | Uint8Array>;
    }
  | { readonly type: "stream"; readonly start: (sink: FrameSink) => void };

/** One response in the OpenAPI document. */
export interface ResponseShape {
  readonly description: string;
  readonly contentType?: string;
  readonly schema?: z.ZodType;
}

export interface Operation<Body = undefined, Query = undefined> {
  /** The `operationId` in the OpenAPI document. */
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  /**
   * Without the project's prefix. `:id` is that of a thread or an attachment; under `/api/projects/`, a project's.
   * `:messageId` is that of a message of the thread.
   */
  readonly path: string;
  readonly summary: string;
  /** `upload`: a multipart form, which the handler reads itself. */
  readonly takes: "nothing" | "json" | "upload";
  readonly body?: z.ZodType<Body>;
  /** Its thread may be archived: its body is read before the thread is looked for. */
  readonly reachesArchived?: true;
  /** For bodies that may hold files: how many characters of the body are files. Such a body may be larger by them. */
  readonly fileChars?: (body: Body) => number;
  /**
   * Fields of the body that its schema takes whole: they may hold more values than the others together. A field of a field,
   * or of each item of a list, is written with a dot.
   */
  readonly opaque?: readonly string[];
  readonly query?: z.ZodType<Query>;
  /** By status. */
  readonly responses: Readonly<Record<number, ResponseShape>>;
  /**
   * Whether a caller without a credential becomes a visitor here, and gets the cookie. A visitor who has the cookie gets
   * it again: its 400 days begin anew.
   */
  readonly admitsNewVisitors: boolean;
  /** Whether only a visitor may call it who has agreed to the project's `consent`, where it has one. */
  readonly needsConsent?: true;
  readonly handle: (request: OperationRequest<Body, Query>) => Promise<OperationResponse>;
}

/**
 * An operation in a list with others, its types of body and query forgotten: no value can be handed to it by mistake.
 * `handleRequest` alone calls its handler, with what the operation's own schemas have parsed.
 */
export type AnyOperation = Operation<never, never>;

/** Checks an operation's handler against its schemas, and makes it an element of a list. */
export function operation<Body = undefined, Query = undefined>(one: Operation<Body, Query>): AnyOperation {
  return one as unknown as AnyOperation;
}
