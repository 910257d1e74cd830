/** The databases of lives: a Postgres for two instances at a time, or an SQLite file for one after the other. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { FileStore, Storage } from "@nitka/server";
import { createFolderFiles } from "@nitka/server/folder-files";
import { migratePostgres, openPostgresStorage } from "@nitka/server/postgres";
import { migrateSqlite, openSqliteStorage } from "@nitka/server/sqlite";
import { startTemporaryPostgres } from "@nitka/server/temporary-postgres";
import { startBreakingWire } from "./breaking-wire.ts";
import type { PlantedFaults } from "./planted-faults.ts";

/** The database of one life. */
export interface Place {
  /** Opens the database for an instance that starts. */
  open(instanceId: string, files: (store: FileStore) => FileStore): Promise<Storage>;
  /** The same database without faults, for the verdict. It exists while an instance does. */
  readonly truth: Storage;
  /** The ids of the files in the store. */
  files(): readonly string[];
  /** The ids of the files that the database knows: the attachments, and the files that are being written or will be deleted. */
  knownFiles(): Promise<readonly string[]>;
  /** The number of the instances' connections. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** A place where lives run one after the other. A life finds what the earlier ones have left. */
export interface Lane {
  readonly name: "postgres" | "sqlite";
  /** The number of instances that the database serves at a time. */
  readonly atOnce: 1 | 2;
  enter(faults: Pick<PlantedFaults, "next" | "awaits">): Promise<Place>;
  close(): Promise<void>;
}

export interface Lanes {
  open(): Promise<Lane>;
  close(): Promise<void>;
}

/** The folder is in memory if possible: no life cuts the power, so none has to wait for a disk. */
const base = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

const KNOWN_FILES = (schema: string) =>
  `select attachment_id as id from ${schema}.attachment union select file_id from ${schema}.stray_file`;

const CONNECTIONS = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and application_name like 'nitka%'`;

export async function startPostgresLanes(): Promise<Lanes> {
  const postgres = await startTemporaryPostgres();
  const folder = mkdtempSync(join(base, "nitka-lives-"));
  let lanes = 0;
  return {
    async open() {
      const url = await postgres.createDatabase();
      await migratePostgres({ url });
      lanes += 1;
      const files = filesIn(join(folder, `files${lanes}`));
      // The connection is named, so that it is not counted among the instances' connections.
      const named = `${url}?application_name=judge`;
      const truth = await openPostgresStorage({ url: named, instanceId: "judge", connections: 2, files: files.store });
      return {
        name: "postgres",
        atOnce: 2,
        async enter(faults) {
          const proxy = faults.awaits("wire")
            ? await startBreakingWire(url, () => faults.next("wire", "packet"))
            : undefined;
          return {
            truth,
            open: (instanceId, faulty) =>
              openPostgresStorage({
                url: proxy?.url ?? url,
                instanceId,
                connections: 3,
                files: faulty(files.store),
              }),
            files: files.list,
            knownFiles: async () => idsOf(await postgres.query(url, KNOWN_FILES("nitka"))),
            connections: async () => Number((await postgres.query(url, CONNECTIONS))[0]?.["count"]),
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
  const folder = mkdtempSync(join(base, "nitka-lives-"));
  const empty = join(folder, "empty.db");
  await migrateSqlite({ path: empty });
  let lanes = 0;
  return {
    async open() {
      lanes += 1;
      const path = join(folder, `lane${lanes}.db`);
      copyFileSync(empty, path);
      const files = filesIn(join(folder, `files${lanes}`));
      let current: Storage | undefined;
      return {
        name: "sqlite",
        atOnce: 1,
        enter: async () => ({
          get truth() {
            if (!current) throw new Error("The file is open only while an instance is");
            return current;
          },
          open: async (_, faulty) => {
            current = await openSqliteStorage({ path, files: faulty(files.store) });
            return current;
          },
          files: files.list,
          knownFiles: async () => {
            const beside = new DatabaseSync(path, { readOnly: true });
            try {
              return idsOf(beside.prepare(KNOWN_FILES("main")).all());
            } finally {
              beside.close();
            }
          },
          // The file is locked, so the next life could not open it.
          connections: async () => 0,
          close: async () => undefined,
        }),
        close: async () => undefined,
      };
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function filesIn(folder: string) {
  mkdirSync(folder);
  const list = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((file) => (file.isFile() ? file.name : []));
  return { store: createFolderFiles(folder), list };
}

function idsOf(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  return rows.map(({ id }) => String(id));
}
