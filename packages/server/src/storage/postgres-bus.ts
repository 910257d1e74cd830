import { createHash } from "node:crypto";
import type { StorageLog } from "./storage.ts";
import { notifyAll } from "./postgres-dialect.ts";
import { listenToPostgres } from "./postgres-listener.ts";
import { compileOnce } from "./sql/compile-once.ts";
import { ALL } from "./sql/signals/signal-bus.ts";
import type { BusListener, BusMessage, Notice, SignalBus } from "./sql/signals/signal-bus.ts";
import type { Db } from "./sql/sql-dialect.ts";

/** The channel that all instances of a database listen to. */
const CHANNEL_OF_ALL = "nitka_all";

/** The most bytes of run ids in one notification. Postgres limits a payload to 8,000 bytes. */
const PAYLOAD_BYTES = 7000;

export interface PostgresBusOptions {
  readonly url: string;
  readonly instanceId: string;
  /** The connection that sends notifications. */
  readonly db: Db;
  readonly log: StorageLog;
}

export interface PostgresBus extends SignalBus {
  /** Whether the connection for LISTEN is up. */
  readonly listening: boolean;
  readonly close: () => Promise<void>;
}

/**
 * Sends and receives signals through LISTEN and NOTIFY, on one channel per instance and one channel for all. Resolves
 * when it is listening.
 */
export async function openPostgresBus({ url, instanceId, db, log }: PostgresBusOptions): Promise<PostgresBus> {
  const listeners = new Set<BusListener>();
  const listener = await listenToPostgres({
    url,
    channels: [CHANNEL_OF_ALL, channelOf(instanceId)],
    log,
    onNotification: (payload) => {
      const notification = parseNotification(payload);
      if (!notification || notification.from === instanceId) return;
      for (const call of listeners) call(notification.type, notification.runIds, notification.from);
    },
  });

  const notify = compileOnce((notices: string) => notifyAll(notices).compile(db));
  const sendNotices = async (all: readonly Notice[]) => {
    if (all.length === 0) return;
    await db.executeQuery(notify(JSON.stringify(all.map(({ channel, payload }) => [channel, payload]))));
  };
  const notices = (channel: string, type: BusMessage, runIds: readonly string[]): readonly Notice[] =>
    payloadSlices(runIds).map((ids) => ({ channel, payload: JSON.stringify([type, instanceId, ...ids]) }));

  return {
    instanceId,
    notices: (to, type, runIds) => notices(channelOf(to), type, runIds),
    send: (to, type, runIds) => sendNotices(notices(to === ALL ? CHANNEL_OF_ALL : channelOf(to), type, runIds)),
    sendNotices,
    listen: (call) => {
      listeners.add(call);
      return () => {
        listeners.delete(call);
      };
    },
    get listening() {
      return listener.listening;
    },
    close: listener.stop,
  };
}

/** Postgres truncates names after 63 bytes, and other characters would need quotes. Such an id is hashed. */
function channelOf(instanceId: string): string {
  if (/^[\w-]{1,56}$/.test(instanceId)) return `nitka_${instanceId}`;
  return `nitka_${createHash("sha256").update(instanceId).digest("hex").slice(0, 40)}`;
}

interface RunNotification {
  readonly type: BusMessage;
  readonly from: string;
  readonly runIds: readonly string[];
}

const messages: ReadonlySet<string> = new Set<BusMessage>(["events", "cancel", "answered", "ended", "follow"]);

/** Returns `undefined` for payloads of other programs. */
function parseNotification(payload: string): RunNotification | undefined {
  let items: unknown;
  try {
    items = JSON.parse(payload);
  } catch {
    return undefined;
  }
  if (!Array.isArray(items) || !items.every((item) => typeof item === "string")) return undefined;
  const [type, from, ...runIds] = items;
  if (type === undefined || from === undefined || !isMessage(type)) return undefined;
  return { type, from, runIds };
}

function isMessage(type: string): type is BusMessage {
  return messages.has(type);
}

function payloadSlices(runIds: readonly string[]): string[][] {
  const all: string[][] = [];
  let room = 0;
  for (const runId of runIds) {
    const bytes = Buffer.byteLength(JSON.stringify(runId)) + 1;
    if (bytes > room) {
      all.push([]);
      room = PAYLOAD_BYTES;
    }
    room -= bytes;
    all.at(-1)?.push(runId);
  }
  return all;
}
