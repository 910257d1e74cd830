import { sql } from "kysely";
import type { RunSignal } from "./storage.ts";
import { listenToPostgres } from "./postgres-listener.ts";
import type { BusListener, SignalBus } from "./sql/signal-bus.ts";
import type { Db } from "./sql/sql-dialect.ts";

/** The channel of all instances on a database. */
const CHANNEL = "nitka_runs";

/** Bytes of run ids in one notification. Postgres takes 8,000 in all. */
const PAYLOAD_BYTES = 7000;

export interface PostgresBusOptions {
  readonly url: string;
  readonly instanceId: string;
  /** Where to notify. */
  readonly db: Db;
}

/** Signals over LISTEN and NOTIFY. Resolves when it listens. */
export async function openPostgresBus({
  url,
  instanceId,
  db,
}: PostgresBusOptions): Promise<SignalBus & { readonly close: () => Promise<void> }> {
  const listeners = new Set<BusListener>();
  const close = await listenToPostgres({
    url,
    channel: CHANNEL,
    onNotification: (payload) => {
      const notification = parseNotification(payload);
      if (!notification || notification.from === instanceId) return;
      for (const listener of listeners) listener(notification.type, notification.runIds);
    },
  });
  return {
    tell: async (type, runIds) => {
      const payloads = slices(runIds).map((ids) => JSON.stringify([type, instanceId, ...ids]));
      const calls = payloads.map((payload) => sql`pg_notify(${CHANNEL}, ${payload})`);
      if (calls.length > 0) await sql`select ${sql.join(calls)}`.execute(db);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    close,
  };
}

interface RunNotification {
  readonly type: RunSignal["type"];
  readonly from: string;
  readonly runIds: readonly string[];
}

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
  if (from === undefined || (type !== "events" && type !== "cancel" && type !== "ended")) return undefined;
  return { type, from, runIds };
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
