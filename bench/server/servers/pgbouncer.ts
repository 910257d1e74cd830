import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findDebianProgram } from "../../../scripts/debian-packages.mjs";
import { freePort } from "../../../scripts/listen-locally.mjs";

export interface PgBouncer {
  /** The URL of a database through the pooler. */
  through(databaseUrl: string): string;
  stop(): Promise<void>;
}

/** The user `nobody`, because pgbouncer does not run as root. */
const NOBODY = 65_534;

/**
 * Starts pgbouncer in transaction mode: a client has a connection to the database only for one transaction.
 *
 * @param databaseUrl of any database of the server
 * @param connections the maximum number of connections to the database
 */
export async function startPgBouncer(databaseUrl: string, connections = 5): Promise<PgBouncer> {
  const program = await findDebianProgram("pgbouncer", "pgbouncer, for the benchmark of a pooler");
  const { hostname, port: databasePort, username } = new URL(databaseUrl);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "nitka-pgbouncer-"));
  const users = join(folder, "users.txt");
  const ini = join(folder, "pgbouncer.ini");
  writeFileSync(users, `"${username}" ""\n`);
  writeFileSync(
    ini,
    [
      "[databases]",
      `* = host=${hostname} port=${databasePort}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = trust",
      `auth_file = ${users}`,
      "pool_mode = transaction",
      `default_pool_size = ${connections}`,
      "max_client_conn = 500",
    ].join("\n"),
  );
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (asNobody.uid !== undefined) for (const path of [folder, users, ini]) chownSync(path, NOBODY, NOBODY);
  const child = spawn(program, ["-q", ini], { ...asNobody, stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  for (let attempt = 0; !(await answers(port)); attempt += 1) {
    if (attempt > 100 || child.exitCode !== null) throw new Error("pgbouncer has been started, but answers nothing");
    await sleep(50);
  }
  return {
    through(url) {
      const pooled = new URL(url);
      pooled.host = `127.0.0.1:${port}`;
      return pooled.href;
    },
    async stop() {
      child.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
