/**
 * `systemctl` on a machine without systemd: it starts, stops and reloads units with their user, environment and folders.
 * Confinement (`ProtectSystem=` and the like) is left out.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseEnv } from "node:util";

const folders = ["/etc/systemd/system", "/lib/systemd/system"];
const state = "/run/units";

interface Unit {
  readonly name: string;
  readonly instance: string;
  readonly lines: readonly string[];
}

const [command = "", ...words] = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith("--"));
mkdirSync(state, { recursive: true });
for (const name of names) await act(readUnit(name));

async function act(unit: Unit): Promise<void> {
  if (command === "enable") {
    if (valuesOf(unit, "WantedBy").length === 0) throw new Error(`${unit.name} cannot be enabled: it has no WantedBy.`);
    if (words.includes("--now")) await start(unit);
  } else if (command === "start") await start(unit);
  else if (command === "stop") await stop(unit);
  else if (command === "restart") {
    await stop(unit);
    await start(unit);
  } else if (command === "reload") execute(unit, "ExecReload");
  else throw new Error(`The machine knows no systemctl ${command}.`);
}

function readUnit(word: string): Unit {
  const name = /\.(service|timer)$/.test(word) ? word : `${word}.service`;
  const [, template, instance = ""] = /^(.+@)(.+)(?=\.service$)/.exec(name) ?? [];
  const file = template === undefined ? name : `${template}.service`;
  const path = folders.map((folder) => join(folder, file)).find((each) => existsSync(each));
  if (path === undefined) throw new Error(`Unit ${name} not found.`);
  return { name, instance, lines: readFileSync(path, "utf8").split("\n") };
}

function valuesOf({ lines, instance }: Unit, name: string): readonly string[] {
  return lines
    .filter((line) => line.startsWith(`${name}=`))
    .map((line) => line.slice(name.length + 1).replaceAll("%i", instance));
}

async function start(unit: Unit): Promise<void> {
  if (unit.name.endsWith(".timer") || isRunning(unit)) return;
  for (const name of valuesOf(unit, "StateDirectory")) {
    const [mode = "0755"] = valuesOf(unit, "StateDirectoryMode");
    const [user = "root"] = valuesOf(unit, "User");
    spawnSync("install", ["-d", "-o", user, "-g", user, "-m", mode, `/var/lib/${name}`]);
  }
  const [type = "simple"] = valuesOf(unit, "Type");
  execute(unit, "ExecStartPre");
  if (type === "oneshot" || type === "forking") {
    execute(unit, "ExecStart");
    return;
  }
  const [line = ""] = valuesOf(unit, "ExecStart");
  const [program = "", ...args] = commandOf(unit, line);
  const log = openSync(join(state, `${unit.name}.log`), "a");
  const child = spawn(program, args, { ...placeOf(unit), detached: true, stdio: ["ignore", log, log] });
  writeFileSync(pidFile(unit), String(child.pid));
  child.unref();
  // A unit of this type announces itself when it is ready.
  if (type === "notify") await sleep(1000);
}

async function stop(unit: Unit): Promise<void> {
  if (!isRunning(unit)) {
    execute(unit, "ExecStop");
    return;
  }
  const pid = Number(readFileSync(pidFile(unit), "utf8"));
  process.kill(pid, "SIGTERM");
  const limit = Date.now() + Number.parseInt(valuesOf(unit, "TimeoutStopSec")[0] ?? "90", 10) * 1000;
  while (isRunning(unit)) {
    if (Date.now() > limit) throw new Error(`${unit.name} did not stop in time.`);
    await sleep(50);
  }
  rmSync(pidFile(unit));
}

/** Runs the commands of a unit to their ends. */
function execute(unit: Unit, name: string): void {
  for (const line of valuesOf(unit, name)) {
    const [program = "", ...args] = commandOf(unit, line);
    // A background process keeps no stream of the shell open.
    const stdio = valuesOf(unit, "Type").includes("forking") ? "ignore" : "inherit";
    const { status, error } = spawnSync(program, args, { ...placeOf(unit), stdio });
    if (status !== 0 && !line.startsWith("-"))
      throw new Error(`${unit.name}: ${line} ended with ${status}. ${error ?? ""}`);
  }
}

/** The words of a command, to be run by the unit's user. */
function commandOf(unit: Unit, line: string): readonly string[] {
  const pid = existsSync(pidFile(unit)) ? readFileSync(pidFile(unit), "utf8") : "";
  const plain = line.replace(/^[-@:+!]+/, "").replaceAll("$MAINPID", pid);
  const all = (plain.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ""));
  const [user] = valuesOf(unit, "User");
  if (user === undefined) return all;
  const capabilities = valuesOf(unit, "AmbientCapabilities").flatMap((name) => {
    const added = `+${name.toLowerCase().replace("cap_", "")}`;
    return ["--inh-caps", added, "--ambient-caps", added];
  });
  return ["setpriv", "--reuid", user, "--regid", user, "--init-groups", ...capabilities, "--", ...all];
}

function placeOf(unit: Unit) {
  const [user = "root"] = valuesOf(unit, "User");
  const home = new RegExp(`^${user}:(?:[^:]*:){4}([^:]*):`, "m").exec(readFileSync("/etc/passwd", "utf8"))?.[1];
  const own = valuesOf(unit, "Environment").flatMap((line) => line.split(" "));
  const files = valuesOf(unit, "EnvironmentFile").map((path) => readFileSync(path, "utf8"));
  return {
    cwd: valuesOf(unit, "WorkingDirectory")[0] ?? "/",
    env: {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      HOME: home,
      ...parseEnv([...own, ...files].join("\n")),
    },
  };
}

function pidFile({ name }: Unit): string {
  return join(state, `${name}.pid`);
}

function isRunning(unit: Unit): boolean {
  if (!existsSync(pidFile(unit))) return false;
  const status = `/proc/${readFileSync(pidFile(unit), "utf8")}/stat`;
  // A process that has ended and was not waited for is a zombie.
  return existsSync(status) && !/\) Z /.test(readFileSync(status, "utf8"));
}
