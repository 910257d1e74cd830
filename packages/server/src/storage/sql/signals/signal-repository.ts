import type { Storage } from "../../storage.ts";
import type { RunSignals } from "./run-signals.ts";
import { RUNNING } from "../rows/running-runs.ts";
import type { Db } from "../sql-dialect.ts";

export function signalRepository(db: Db, signals: RunSignals): Storage["signals"] {
  return {
    publish: async ({ type, runId }) => {
      if (type !== "cancel") return signals.sendToAll(type, [runId]);
      // Stored as well: an instance whose connection for LISTEN is down finds it with its next heartbeat.
      const run = await db
        .updateTable("run")
        .set({ cancel_requested: 1 })
        .where("run_id", "=", runId)
        .where("status", "=", RUNNING)
        .returning("instance_id")
        .executeTakeFirst();
      if (run) await signals.sendToWriter("cancel", runId, run.instance_id);
      else signals.emit({ type, runId });
    },

    subscribe: (listener) => signals.subscribe(listener),
  };
}
