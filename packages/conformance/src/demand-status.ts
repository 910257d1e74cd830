import { excerpt } from "./excerpt.ts";
import { demand } from "./nonconformance.ts";
import type { Exchange } from "./visitor.ts";

/** @throws {Nonconformance} unless a request gets this status */
export async function demandStatus(status: number, sent: Promise<Exchange>): Promise<void> {
  const { request, status: got, text } = await sent;
  demand(got === status, request, String(status), `${got}: ${excerpt(text)}`);
}
