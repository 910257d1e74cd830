import type { ServerConfig } from "@nitka/protocol";
import { demand, excerpt } from "./nonconformance.ts";
import type { Session } from "./session.ts";
import type { Exchange } from "./visitor.ts";

/** One sentence of the protocol that a backend is held to. */
export interface Check {
  readonly title: string;
  /** A sentence of docs/protocol.md. */
  readonly rule: string;
  /** `advice` is what the widget can do without: a backend that differs still passes. */
  readonly level?: "advice" | ((session: Session) => "advice" | undefined);
  /** Only a backend that announces this feature is held to the sentence. */
  readonly feature?: Feature;
  /** @throws {Nonconformance} when the backend differs, {@link NotCheckable} when nothing can be said */
  readonly run: (session: Session) => Promise<void>;
}

/** Checks of one subject, in the order in which they run. */
export interface Section {
  readonly name: string;
  readonly checks: readonly Check[];
}

export type Feature = keyof NonNullable<ServerConfig["features"]>;

/** @throws {Nonconformance} unless a request gets this status */
export async function demandStatus(status: number, sent: Promise<Exchange>): Promise<void> {
  const { request, status: got, text } = await sent;
  demand(got === status, request, String(status), `${got}: ${excerpt(text)}`);
}
