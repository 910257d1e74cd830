import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { StorageLog } from "./storage.ts";
import { listenToPostgres } from "./postgres-listener.ts";
import { compileOnce } from "./sql/compile-once.ts";
import type { Given } from "./sql/compile-once.ts";
import { ALL } from "./sql/signal-bus.ts";
import type { BusListener, BusMessage, Notice, SignalBus } from "./sql/signal-bus.ts";
import type { Db } from "./sql/sql-dialect.ts";

/** The channel of all instances on a database. */
const CHANNEL_OF_ALL = "nitka_all";

/** Bytes of run ids in one notification. Postgres takes 8,000 in all. */
const PAYLOAD_BYTES = 7000;

export interface PostgresBusOptions {
  readonly url: string;
  readonly instanceId: string;
  /** Where to notify. */
  readonly db: Db;
  readonly log: StorageLog;
}

export interface PostgresBus extends SignalBus {
  /** Whether it hears the others now. */
  readonly listening: boolean;
  readonly close: () => Promise<void>;
}

/** Signals over LISTEN and NOTIFY, on a channel for each instance and one of all. Resolves when it listens. */
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

  const notify = compileOnce((given: Given<Notice>) => {
    const channel = given((notice) => notice.channel);
    const payload = given((notice) => notice.payload);
    return sql`select pg_notify(${channel}, ${payload})`.compile(db);
  });
  const notices = (channel: string, type: BusMessage, runIds: readonly string[]): readonly Notice[] =>
    slices(runIds).map((ids) => ({ channel, payload: JSON.stringify([type, instanceId, ...ids]) }));

  return {
    instanceId,
    notices: (to, type, runIds) => notices(channelOf(to), type, runIds),
    tell: async (to, type, runIds) => {
      const all = notices(to === ALL ? CHANNEL_OF_ALL : channelOf(to), type, runIds);
      await Promise.all(all.map((notice) => db.executeQuery(notify(notice))));
    },
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

/** Postgres cuts names after 63 bytes: a long id, or one of other letters, is hashed. */
function channelOf(instanceId: string): string {
  if (/^[\w-]{1,56}$/.test(instanceId)) return `nitka_${instanceId}`;
  return `nitka_${createHash("sha256").update(instanceId).digest("hex").slice(0, 40)}`;
}

interface RunNotification {
  readonly type: BusMessage;
  readonly from: string;
  readonly runIds: readonly string[];
}

const messages: ReadonlySet<string> = new Set<BusMessage>(["events", "cancel", "ended", "follow"]);

/** What else comes over the channel, from whatever sends there, is none of ours. */
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

function slices(runIds: readonly string[]): string[][] {
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
