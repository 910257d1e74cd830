import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findDebianProgram } from "./debian-packages.mjs";
import { freePort } from "./listen-locally.mjs";
import { root } from "./workspace.mjs";

/**
 * Starts nginx with deploy/nginx.conf in front of instances on the loopback interface. Only what depends on the machine is
 * replaced: addresses, and the paths of its files.
 *
 * @param {readonly number[]} ports of the instances
 * @returns {Promise<{ readonly url: string, readonly stop: () => Promise<void> }>} its address with a slash at the end
 */
export async function startNginx(ports) {
  const program = await findDebianProgram("nginx", "nginx, to try deploy/nginx.conf");
  const folder = mkdtempSync(join(tmpdir(), "nitka-nginx-"));
  // The workers run as another user if this process is root.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const config = join(folder, "nginx.conf");
  writeFileSync(config, configOf(folder, port, ports));
  const checked = spawnSync(program, ["-t", "-c", config], { encoding: "utf8" });
  if (checked.status !== 0) throw new Error(`nginx does not take deploy/nginx.conf: ${checked.stderr}`);
  const child = spawn(program, ["-c", config, "-g", "daemon off;"], { stdio: "ignore" });
  const ended = once(child, "exit");
  const url = `http://127.0.0.1:${port}/`;
  await untilListening(port);
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * @param {string} folder
 * @param {number} port
 * @param {readonly number[]} ports
 */
function configOf(folder, port, ports) {
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  );
  let text = readFileSync(join(root, "deploy", "nginx.conf"), "utf8");
  /**
   * @param {RegExp} pattern
   * @param {string} by
   */
  const replace = (pattern, by) => {
    if (!pattern.test(text)) throw new Error(`deploy/nginx.conf has nothing like ${pattern.source} any more.`);
    text = text.replace(pattern, by);
  };
  replace(/^worker_rlimit_nofile .*$/m, `pid ${folder}/nginx.pid;\nerror_log ${folder}/error.log warn;`);
  replace(/worker_connections \d+;/, "worker_connections 2048;");
  replace(/^http \{$/m, `http {\n  ${places.join("\n  ")}`);
  replace(/access_log \S+/, `access_log ${folder}/access.log`);
  replace(
    /( *)server [\d.]+:3000( .*;\n)(?: *server [\d.]+:3000 .*;\n)+/,
    ports.map((each) => `$1server 127.0.0.1:${each}$2`).join(""),
  );
  replace(/^ *listen 80;$/m, `listen 127.0.0.1:${port};`);
  return text;
}

/** @param {number} port */
async function untilListening(port) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answers = await fetch(`http://127.0.0.1:${port}/`, { method: "OPTIONS" }).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("nginx was started, and answers nothing.");
}
