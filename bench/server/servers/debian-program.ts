import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/**
 * Finds a program of a Debian package, such as `nginx`. Installs the package if it is missing and this process may.
 *
 * @throws an Error that says what to install
 */
export function findDebianProgram(name: string): string {
  const found = installed(name);
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync(APT_GET)) {
    console.log(`Installing ${name} (apt-get install ${name}), once …`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync(APT_GET, ["update"], { env });
    spawnSync(APT_GET, ["install", "-y", "--no-install-recommends", name], { env });
  }
  const path = installed(name);
  if (path === undefined) {
    throw new Error(`This benchmark needs ${name}, which is not there and could not be installed: install ${name}.`);
  }
  return path;
}

const APT_GET = "/usr/bin/apt-get";

function installed(name: string): string | undefined {
  return ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"]
    .map((folder) => `${folder}/${name}`)
    .find((path) => existsSync(path));
}
