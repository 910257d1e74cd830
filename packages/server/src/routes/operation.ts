/**
 * The definition of an operation of the HTTP interface: for the router, for the checks before its handler, and for the
 * OpenAPI document.
 */
import type { z } from "zod";
import type { NodeBindings } from "../http/node-bindings.ts";
import type { Visitor } from "../http/visitor-credentials.ts";
import type { FrameSink } from "../services/runs/frame-sink.ts";
import type { LogFields } from "../services/log.ts";
import type { Owner } from "../services/owner.ts";
import type { ReadyProject } from "../services/projects/ready-projects.ts";
import type { Admission } from "../services/questions/run-service.ts";

/** A request to an operation: its visitor is identified, and its body and query have passed the operation's schemas. */
export interface OperationRequest<Body = undefined, Query = undefined> {
  readonly request: Request;
  readonly requestId: string;
  /** See `Timings`. */
  readonly slowBodyMs: number;
  /** Adds fields to the request's log line. */
  readonly note: (fields: LogFields) => void;
  readonly bindings: NodeBindings;
  readonly project: ReadyProject;
  readonly visitor: Visitor;
  /** Whether the browser says that the page is of another site, where a browser does not keep an ordinary cookie. */
  readonly crossSite: boolean;
  readonly owner: Owner;
  /** Whether the request's path begins with `/p/{projectId}/`. */
  readonly underProjectPath: boolean;
  /** The `:id` of the path; `NO_ID` when it cannot be an id, or when the path has none. */
  readonly id: string;
  /** The `:messageId` of the path; `NO_ID` when it cannot be an id, or when the path has none. */
  readonly messageId: string;
  readonly body: Body;
  readonly query: Query;
  /**
   * Counts one thread or upload against the visitor's limit per minute, and asks the host.
   *
   * @throws ChatError `rate_limited`
   * @throws HostRefusal
   */
  readonly take: (name: "threads" | "uploads") => Promise<void>;
  /**
   * Counts bytes of files against the address's daily limit.
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

/** No thread, attachment or message has this id, so looking it up results in `not_found`. */
export const NO_ID = "";

/** The result of a handler. `handleRequest` adds the headers that all responses share. */
export type OperationResponse =
  | { readonly type: "json"; readonly value: unknown }
  | {
      readonly type: "empty";
      readonly status: 204 | 304;
      readonly headers?: Readonly<Record<string, string>>;
      /** Set when the visitor was erased: the browser should drop the cookie. */
      readonly dropsCookie?: true;
    }
  | {
      readonly type: "pieces";
      readonly status: 200 | 206;
      readonly headers: Readonly<Record<string, string>>;
      /** Read as fast as the connection accepts them (backpressure). */
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
   * The path without the project's prefix. `:id` is the id of a thread or an attachment; under `/api/projects/`, of a
   * project. `:messageId` is the id of a message in the thread.
   */
  readonly path: string;
  readonly summary: string;
  /** `upload`: a multipart form, which the handler reads itself. */
  readonly takes: "nothing" | "json" | "upload";
  readonly body?: z.ZodType<Body>;
  /** Set when the thread may be archived: the body is read before the thread is looked up. */
  readonly reachesArchived?: true;
  /**
   * For bodies that may contain files: returns the number of characters that are files. These do not count against the
   * limit of the body.
   */
  readonly fileChars?: (body: Body) => number;
  /**
   * Fields of the body that its schema does not inspect: they may contain more values than the other fields together. A
   * dot separates the name of a nested field, or of a field of each list item.
   */
  readonly opaque?: readonly string[];
  readonly query?: z.ZodType<Query>;
  /** The responses by status. */
  readonly responses: Readonly<Record<number, ResponseShape>>;
  /**
   * Whether a caller without a credential becomes a visitor here and gets the cookie. A visitor who has the cookie gets
   * it again, which restarts its 400 days.
   */
  readonly admitsNewVisitors?: true;
  /** Whether only visitors who have accepted the project's `consent` may call it, if the project has one. */
  readonly needsConsent?: true;
  readonly handle: (request: OperationRequest<Body, Query>) => Promise<OperationResponse>;
}

/**
 * An operation in a list with others, without the types of its body and query: no value can be passed to it by mistake.
 * Only `handleRequest` calls its handler, with values that the operation's own schemas have parsed.
 */
export type AnyOperation = Operation<never, never>;

/** Checks an operation's handler against its schemas, and makes it an element of a list. */
export function operation<Body = undefined, Query = undefined>(one: Operation<Body, Query>): AnyOperation {
  return one as unknown as AnyOperation;
}
