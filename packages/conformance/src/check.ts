import type { ServerConfig } from "@nitka/protocol";
import { demand, excerpt } from "./nonconformance.ts";
import type { Session } from "./session.ts";
import type { Exchange } from "./visitor.ts";

/** One requirement of the protocol, with its check. */
export interface Check {
  readonly title: string;
  /** A sentence of docs/protocol.md. */
  readonly rule: string;
  /** `advice`: the widget works without it, so a backend that differs still passes. */
  readonly level?: "advice" | ((session: Session) => "advice" | undefined);
  /** Only backends that announce this feature are checked. */
  readonly feature?: Feature;
  /** @throws {Nonconformance} when the backend differs, {@link NotCheckable} when the check is not applicable */
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
