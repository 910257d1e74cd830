import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root as clone } from "../../scripts/workspace.mjs";

/**
 * A separate server for typing commands as root: the files of this machine with its own changes above them, and its own
 * network, processes and host names. Nothing of it is left behind.
 */
export class Machine {
  readonly #holder: ChildProcess;
  readonly #folder: string;
  readonly #pid: string;

  private constructor(holder: ChildProcess, folder: string, pid: string) {
    this.#holder = holder;
    this.#folder = folder;
    this.#pid = pid;
  }

  /** @param files of the machine, by path; those in `bin` and `sbin` folders are programs */
  static async start(files: Readonly<Record<string, string>>): Promise<Machine> {
    if (process.platform !== "linux" || process.getuid?.() !== 0)
      throw new Error("The ways of docs/install.md are walked by root on Linux, who may make namespaces.");
    const folder = mkdtempSync(join(tmpdir(), "nitka-machine-"));
    const args = "--mount --net --pid --fork --kill-child --propagation private".split(" ");
    // The process ends with its input, and therefore with this process. Everything on the machine ends with it.
    const holder = spawn("unshare", [...args, "bash", "-ec", SETUP, "setup", folder], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await Promise.race([once(holder.stdout, "data"), once(holder, "exit")]);
    const children = `/proc/${holder.pid}/task/${holder.pid}/children`;
    const pid = existsSync(children) ? readFileSync(children, "utf8").trim() : "";
    const machine = new Machine(holder, folder, pid);
    if (pid === "" || existsSync(MARK) || !machine.has(MARK)) {
      await machine.stop();
      throw new Error(
        "The machine could not get files and a network of its own: this process may not make namespaces.",
      );
    }
    copyFileSync(process.execPath, machine.#path("/usr/bin/node"));
    for (const [path, text] of Object.entries(files)) machine.write(path, text);
    return machine;
  }

  /**
   * Types commands into a shell, which stops at the first failing one. Returns their output.
   *
   * @param online with the network of this machine, for npm
   */
  async type(commands: string, { online = false, folder = clone } = {}): Promise<string> {
    const child = this.#enter(["bash", "-eo", "pipefail", "-c", commands], online, folder);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error(`${commands}\nended with ${code}:\n${output}`);
    return output;
  }

  /** Starts a command that keeps running. */
  startCommand(commands: string): ChildProcess {
    return this.#enter(["bash", "-ec", commands], false, clone);
  }

  /** A command that runs a program of this machine in the network of the other. */
  inNetwork(program: string): string {
    const path = join(this.#folder, "in-network");
    writeFileSync(path, `#!/bin/sh\nexec nsenter --target ${this.#pid} --net -- '${program}' "$@"\n`);
    chmodSync(path, 0o755);
    return path;
  }

  read(path: string): string {
    return readFileSync(this.#path(path), "utf8");
  }

  has(path: string): boolean {
    return existsSync(this.#path(path));
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.#path(path)), { recursive: true });
    writeFileSync(this.#path(path), text);
    if (/bin\/[^/]+$/.test(path)) chmodSync(this.#path(path), 0o755);
  }

  /** Copies a folder of this machine to the other. */
  copy(folder: string, path: string): void {
    cpSync(folder, this.#path(path), { recursive: true });
  }

  async stop(): Promise<void> {
    this.#holder.stdin?.end();
    if (this.#holder.exitCode === null) await once(this.#holder, "exit");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #path(path: string): string {
    return `/proc/${this.#pid}/root${path}`;
  }

  #enter(command: readonly string[], online: boolean, folder: string): ChildProcess {
    const spaces = ["--mount", "--pid", "--root", `--wd=${this.#path(folder)}`, ...(online ? [] : ["--net"])];
    return spawn("nsenter", ["--target", this.#pid, ...spaces, "--", ...command], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        HOME: "/root",
        PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        NODE_COMPILE_CACHE: "/tmp/compiled",
        [online ? "npm_config_prefer_offline" : "npm_config_offline"]: "true",
        ...Object.fromEntries(
          Object.entries(process.env).filter(([name]) => /^npm_config_(registry|cache)$|^NODE_EXTRA_CA/.test(name)),
        ),
      },
    });
  }
}

/** A file that only the other machine has: what is written there must never reach this one. */
const MARK = "/etc/machine-of-a-test";

/** The machine's files are in memory, above those of this machine. */
const SETUP = `
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
mount --rbind /dev "$1/root/dev"
mount -t proc proc "$1/root/proc"
mount -t tmpfs tmpfs "$1/root/run"
mount -t tmpfs -o mode=1777 tmpfs "$1/root/tmp"
ip link set lo up
rm -f "$1/root/usr/bin/node"
# Not chroot alone: what enters the namespace of a container, as docker exec does, would begin at this machine's root.
cd "$1/root"
pivot_root . .
umount --lazy .
cd /
# It says so from inside: only then is its root the machine's.
exec bash -c 'touch ${MARK}; echo ready; while read -r _; do :; done'
`;
