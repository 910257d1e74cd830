import { spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import type { IncomingMessage } from "node:http";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Starts the example as a process. Requests paths literally, because `fetch` would normalize them. */
async function start() {
  const file = fileURLToPath(new URL("own-backend.mjs", import.meta.url));
  const child = spawn(process.execPath, [file], { env: { ...process.env, PORT: "0" } });
  stops.push(() => void child.kill());
  const [address] = (await once(child.stdout, "data")) as [Buffer];
  const { hostname, port } = new URL(address.toString().trim());
  return (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      get({ hostname, port, path }, (response: IncomingMessage) => {
        response.resume();
        resolve(response.statusCode);
      }).once("error", reject);
    });
}

it("serves its page and nothing from outside the widget's folder, whatever the path", async () => {
  const statusOf = await start();
  const paths = [
    "/widget//etc/passwd",
    "/widget/../package.json",
    "/widget/x//../../package.json",
    "/widget/%2e%2e/package.json",
    "/widget/",
    "//",
    "/api/debug/threads/%zz/messages",
  ];
  const statuses: unknown[] = [];
  for (const path of paths) statuses.push([path, await statusOf(path)]);
  expect(statuses).toEqual(paths.map((path) => [path, path.includes("%zz") ? 400 : 404]));
  expect([await statusOf("/"), await statusOf("/c/t1?x=1"), await statusOf("/api/debug/threads?limit=1")]).toEqual([
    200, 200, 200,
  ]);
});
