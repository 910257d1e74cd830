import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findDebianProgram } from "../../scripts/debian-packages.mjs";
import { freePort, listenLocally } from "../../scripts/listen-locally.mjs";
import { root } from "../../scripts/workspace.mjs";

/** An installation of Caddy, the first time. */
const PATIENCE_MS = 120_000;

it(
  "a question of a browser whether it may ask waits for the one instance that is being replaced",
  async () => {
    let isReady = true;
    const instance = createServer(({ url }, response) =>
      response.writeHead(url === "/readyz" && !isReady ? 503 : 204).end(),
    );
    onTestFinished(() => void instance.close());
    const site = await startCaddy(await listenLocally(instance));
    const statusOf = (method: string) =>
      fetch(`${site}/api/projects/shop/config`, { method }).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(() => statusOf("POST")).toBe(204);
    isReady = false;
    await expect.poll(() => statusOf("POST")).toBe(503);
    isReady = true;
    expect(await Promise.all(["OPTIONS", "GET", "HEAD"].map(statusOf))).toEqual([204, 204, 204]);
  },
  PATIENCE_MS,
);

/** Caddy with deploy/Caddyfile, without HTTPS, in front of one instance. Returns its address. */
async function startCaddy(port: number): Promise<string> {
  const caddy = await findDebianProgram("caddy", "Caddy, to try deploy/Caddyfile");
  const folder = mkdtempSync(join(tmpdir(), "nitka-caddy-"));
  const site = `http://localhost:${await freePort()}`;
  const file = join(folder, "Caddyfile");
  writeFileSync(file, `{\n\tadmin off\n}\n${readFileSync(join(root, "deploy/Caddyfile"), "utf8")}`);
  const child = spawn(caddy, ["run", "--config", file, "--adapter", "caddyfile"], {
    env: { ...process.env, HOME: folder, NITKA_SITE: site, NITKA_INSTANCES: `127.0.0.1:${port}` },
    stdio: "ignore",
  });
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  return site;
}
