import { existsSync, globSync } from "node:fs";
import { delimiter, join } from "node:path";
import { installDebianPackages } from "./debian-packages.mjs";

/** The programs for a backup, and those of a server of the same version: `pg_dump` refuses a server newer than itself. */
const programs = ["pg_dump", "createdb", "pg_restore", "psql", "initdb", "postgres"];

/**
 * Finds the folder with Postgres' own tools and its server. On Debian it installs them if they are missing.
 *
 * @returns {Promise<string>}
 */
export async function findPostgresTools() {
  const found = installed();
  if (found !== undefined) return found;
  await installDebianPackages(["postgresql"], "PostgreSQL, to try backups with pg_dump");
  const folder = installed();
  if (folder !== undefined) return folder;
  throw new Error(
    `Backups are tried with PostgreSQL's own tools, which were not found: install ${programs.join(", ")}.`,
  );
}

function installed() {
  const onPath = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  // Debian puts only the clients on the path, and the programs of each version into a separate folder.
  const ofDebian = globSync("/usr/lib/postgresql/*/bin").toSorted((one, other) =>
    other.localeCompare(one, "en", { numeric: true }),
  );
  return [...onPath, ...ofDebian].find((folder) => programs.every((program) => existsSync(join(folder, program))));
}
