/** The databases of lives: a Postgres for two instances at a time, an SQLite file for one after the other. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileStore, Storage } from "@nitka/server";
import { createFolderFiles } from "@nitka/server/folder-files";
import { migratePostgres, openPostgresStorage } from "@nitka/server/postgres";
import { migrateSqlite, openSqliteStorage } from "@nitka/server/sqlite";
import { startTemporaryPostgres } from "@nitka/server/temporary-postgres";
import type { WireFault } from "./fault-plan.ts";
import { startBreakingWire } from "./breaking-wire.ts";

/** The database of one life. */
export interface Place {
  /** How many instances the database serves at one time. */
  readonly atOnce: 1 | 2;
  /** Opens it for an instance that starts. */
  open(instanceId: string, files: (store: FileStore) => FileStore): Promise<Storage>;
  /** The same database beside all faults, for who judges. It exists while an instance does. */
  readonly truth: Storage;
  close(): Promise<void>;
}

/** Where lives take place, one after the other. A life finds what the earlier ones have left. */
export interface Lane {
  readonly name: "postgres" | "sqlite";
  readonly hasWire: boolean;
  enter(fault: { readonly wire: WireFault | undefined; readonly onFault: () => void }): Promise<Place>;
  close(): Promise<void>;
}

export interface Lanes {
  open(): Promise<Lane>;
  close(): Promise<void>;
}

export async function startPostgresLanes(): Promise<Lanes> {
  const postgres = await startTemporaryPostgres();
  const folder = mkdtempSync(join(tmpdir(), "nitka-lives-"));
  let lanes = 0;
  return {
    async open() {
      const url = await postgres.createDatabase();
      await migratePostgres({ url });
      lanes += 1;
      const store = createFolderFiles(join(folder, `files${lanes}`));
      const truth = await openPostgresStorage({ url, instanceId: "judge", connections: 2, files: store });
      return {
        name: "postgres",
        hasWire: true,
        async enter({ wire, onFault }) {
          const proxy = wire && (await startBreakingWire(url, wire, onFault));
          return {
            atOnce: 2,
            truth,
            open: (instanceId, files) =>
              openPostgresStorage({ url: proxy?.url ?? url, instanceId, connections: 3, files: files(store) }),
            close: async () => proxy?.stop(),
          };
        },
        close: () => truth.close(),
      };
    },
    close: async () => {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function startSqliteLanes(): Promise<Lanes> {
  const folder = mkdtempSync(join(tmpdir(), "nitka-lives-"));
  const empty = join(folder, "empty.db");
  await migrateSqlite({ path: empty });
  let lanes = 0;
  return {
    async open() {
      lanes += 1;
      const path = join(folder, `lane${lanes}.db`);
      copyFileSync(empty, path);
      const store = createFolderFiles(join(folder, `files${lanes}`));
      let current: Storage | undefined;
      return {
        name: "sqlite",
        hasWire: false,
        enter: async () => ({
          atOnce: 1,
          get truth() {
            if (!current) throw new Error("The file is open only while an instance is");
            return current;
          },
          open: async (_, files) => {
            current = await openSqliteStorage({ path, files: files(store) });
            return current;
          },
          close: async () => undefined,
        }),
        close: async () => undefined,
      };
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
