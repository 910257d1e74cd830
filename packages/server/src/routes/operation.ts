/** What a call of the API is, for the router, for the checks before it, and for the document that describes it. */
import type { z } from "zod";
import type { NodeBindings } from "../http/bindings.ts";
import type { Visitor } from "../http/visitor.ts";
import type { FrameSink } from "../services/frame-sink.ts";
import type { LogFields } from "../services/log.ts";
import type { ReadyProject } from "../services/projects.ts";
import type { Owner } from "../services/owner.ts";
import type { Admission } from "../services/run-service.ts";

/** A call, its credential known and its forms checked. */
export interface Call<Body = undefined, Query = undefined> {
  readonly request: Request;
  readonly requestId: string;
  /** Adds to the request's line in the log. */
  readonly note: (fields: LogFields) => void;
  readonly bindings: NodeBindings;
  readonly project: ReadyProject;
  readonly visitor: Visitor;
  /** The browser says that the page is of another site, where an ordinary cookie is not kept. */
  readonly crossSite: boolean;
  readonly owner: Owner;
  /** Whether the call came under `/p/{projectId}/`. */
  readonly inside: boolean;
  /** A part of the path; one that could be no id is empty, and so finds nothing. */
  readonly id: string;
  readonly body: Body;
  readonly query: Query;
  /** Takes one of what the visitor may make in a minute. Throws when there is none left. */
  readonly take: (name: "threads" | "uploads") => void;
  /** Takes of the bytes that the address may have kept in a day. Throws when there are none left. */
  readonly takeBytes: (bytes: number) => void;
  /** Lets the visitor ask a model. Throws when they, their address or the project may not ask now. */
  readonly admit: () => Admission;
}

/** What is answered. The headers that every answer has are added by the router. */
export type Reply =
  | { readonly type: "json"; readonly value: unknown }
  | {
      readonly type: "empty";
      readonly status: 204 | 304;
      readonly headers?: Readonly<Record<string, string>>;
      /** The visitor is forgotten: the browser drops the cookie. */
      readonly takesCookieBack?: true;
    }
  | {
      readonly type: "pieces";
      readonly status: 200 | 206;
      readonly headers: Readonly<Record<string, string>>;
      /** Read as the connection takes them. */
      readonly pieces: AsyncIterable<string | Uint8Array>;
    }
  | { readonly type: "stream"; readonly start: (sink: FrameSink) => void };

/** What the document says of an answer. */
export interface AnswerShape {
  readonly description: string;
  readonly contentType?: string;
  readonly schema?: z.ZodType;
}

export interface Operation<Body = undefined, Query = undefined> {
  /** Its name in the document. */
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** `:id` is the thread's or attachment's; under `/api/…`, without the project. */
  readonly path: string;
  readonly summary: string;
  /** `upload`: a multipart form, read by the handler itself. */
  readonly takes: "nothing" | "json" | "upload";
  readonly body?: z.ZodType<Body>;
  /** Where files may come in the body: how many of its characters they are. There is more room for them. */
  readonly fileChars?: (body: Body) => number;
  readonly query?: z.ZodType<Query>;
  readonly answers: Readonly<Record<number, AnswerShape>>;
  /** A call without a credential begins something here: it makes its caller a visitor. */
  readonly welcomesStrangers: boolean;
  readonly handle: (call: Call<Body, Query>) => Promise<Reply>;
}

/** An operation among others: the router hands it only what its own schemas have let pass. */
export type AnyOperation = Operation<never, never>;

/** Takes an operation in among others of different bodies. */
export function operation<Body = undefined, Query = undefined>(one: Operation<Body, Query>): AnyOperation {
  return one as unknown as AnyOperation;
}
