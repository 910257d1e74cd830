/** A TCP proxy in front of Postgres that delays every chunk and counts the bytes of notifications. */
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";
import { listenLocally } from "../../../scripts/listen-locally.mjs";
import { answerCalls } from "./start-process.ts";

/** The notifications of the database, with payloads and channel names. */
export interface Notified {
  readonly messages: number;
  readonly bytes: number;
}

const notified = { messages: 0, bytes: 0 };

answerCalls({
  /**
   * Listens in front of `port`. Each direction waits `delayMs`, so a round trip takes twice as long.
   *
   * @returns its own port
   */
  listen: (port: number, delayMs: number) =>
    listenLocally(createServer((client) => join(client, connect(port, "127.0.0.1"), delayMs))),
  notified: (): Notified => ({ ...notified }),
});

function join(client: Socket, database: Socket, delayMs: number): void {
  const count = notificationCounter();
  client.setNoDelay();
  database.setNoDelay();
  pass(client, database, delayMs, () => undefined);
  pass(database, client, delayMs, count);
}

/** Timers with the same delay fire in the order in which they were set, so chunks stay in order. */
function pass(from: Socket, to: Socket, delayMs: number, look: (chunk: Buffer) => void): void {
  from.on("data", (chunk) => {
    look(chunk);
    setTimeout(() => to.write(chunk), delayMs);
  });
  from.on("close", () => setTimeout(() => to.destroy(), delayMs));
  from.on("error", () => to.destroy());
}

/**
 * Walks over the messages of Postgres' protocol (a type byte, then a length of four bytes that counts itself) and counts
 * NotificationResponse, `A`. https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
function notificationCounter(): (chunk: Buffer) => void {
  let rest: Uint8Array = new Uint8Array();
  let skip = 0;
  return (chunk) => {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = skip;
    while (at + 5 <= data.length) {
      const length = data.readUInt32BE(at + 1) + 1;
      if (data[at] === NOTIFICATION) {
        notified.messages += 1;
        notified.bytes += length;
      }
      at += length;
    }
    rest = at < data.length ? data.subarray(at) : new Uint8Array();
    skip = Math.max(0, at - data.length);
  };
}

const NOTIFICATION = "A".charCodeAt(0);
