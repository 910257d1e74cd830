/**
 * A machine with Docker: Debian's daemon in the machine's network, so that its bridges and rules belong to the machine, and
 * with its files in memory. It cannot reach a registry of images: `images.sh` creates the base images of ours.
 */
import { spawn } from "node:child_process";
import { globSync, readFileSync, rmdirSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findDebianProgram } from "../../../scripts/debian-packages.mjs";
import { findNpm } from "../../../scripts/find-npm.mjs";
import { findPostgresTools } from "../../../scripts/find-postgres-tools.mjs";
import { root as clone } from "../../../scripts/workspace.mjs";
import { startHttpsMachine } from "../https-machine.ts";
import type { HttpsMachineOptions } from "../https-machine.ts";
import type { Machine } from "../machine.ts";

const own = join(clone, "tests/ways/compose");
const PROXY_PORT = 3128;
/** The cgroup of all processes of its containers, which the kernel keeps outside the machine. */
const GROUP = `/nitka-docker-${process.pid}`;

export interface DockerMachine {
  readonly machine: Machine;
  stop(): Promise<void>;
}

export async function startDockerMachine(options: HttpsMachineOptions): Promise<DockerMachine> {
  await findDebianProgram("dockerd", "Docker", "docker.io");
  await findDebianProgram("docker-compose", "Docker's compose");
  await findDebianProgram("nginx", "nginx, for its image");
  await findPostgresTools();
  const machine = await startHttpsMachine({
    ...options,
    files: {
      "/usr/local/sbin/docker": '#!/bin/sh\nexec /usr/bin/docker "$@"\n',
      "/usr/libexec/docker/cli-plugins/docker-compose": readFileSync(join(own, "compose-plugin.sh"), "utf8"),
      ...options.files,
    },
  });
  const registry = await passOnRegistry(machine);
  const stop = async () => {
    registry.close();
    // If the daemon has not started there are none.
    await machine.type("docker ps --all --quiet | xargs --no-run-if-empty docker rm --force").catch(() => "");
    await machine.stop();
    for (const each of globSync(`/sys/fs/cgroup/*${GROUP}`)) rmdirSync(each);
  };
  try {
    await machine.type(SYSTEM);
    machine.startCommand(`exec dockerd --cgroup-parent=${GROUP} > /var/log/dockerd 2>&1`);
    await machine.type(
      "for try in $(seq 300); do docker info > /dev/null 2>&1 && exit; sleep 0.1; done; cat /var/log/dockerd; exit 1",
    );
    const npm = dirname(dirname(findNpm()));
    await machine.type(`bash -e ${own}/images.sh ${process.execPath} ${npm} http://172.17.0.1:${PROXY_PORT}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { machine, stop };
}

/** Mounts the kernel's own files, and the cgroups, with which the daemon counts and limits processes. */
const SYSTEM = `
chmod +x /usr/libexec/docker/cli-plugins/docker-compose
mount -t sysfs sysfs /sys
mount -t tmpfs -o mode=755 cgroups /sys/fs/cgroup
for each in $(awk 'NR > 1 && $2 > 0 { print $1 }' /proc/cgroups); do
  mkdir /sys/fs/cgroup/$each
  mount -t cgroup -o $each $each /sys/fs/cgroup/$each
done
mkdir --parents /var/lib/docker
mount -t tmpfs docker /var/lib/docker
`;

/** Lets npm in a container reach the registry of packages, as this machine does, through a proxy on Docker's own bridge. */
async function passOnRegistry(machine: Machine) {
  const { hostname, port } = new URL(process.env["npm_config_registry"] ?? "https://registry.npmjs.org");
  const socket = join(tmpdir(), `nitka-registry-${process.pid}`);
  const proxy = createServer().on("connect", (request, client) => {
    if (request.url !== `${hostname}:${port || 443}`) {
      client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    const upstream = connect(Number(port || 443), hostname, () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      from.on("error", () => to.destroy()).pipe(to);
  });
  await new Promise<void>((resolve) => void proxy.listen(socket, resolve));
  const relay = spawn(machine.inNetwork(process.execPath), ["--eval", RELAY, String(PROXY_PORT), socket], {
    stdio: "inherit",
  });
  return {
    close() {
      relay.kill();
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

/** The relay runs in the machine's network, with this machine's files, which include the socket. */
const RELAY = `
const { createServer, connect } = require("node:net");
const [port, socket] = process.argv.slice(1);
createServer((client) => {
  const proxy = connect(socket);
  client.on("error", () => proxy.destroy()).pipe(proxy);
  proxy.on("error", () => client.destroy()).pipe(client);
}).listen(Number(port));
`;
