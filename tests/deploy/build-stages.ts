import { execFile } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, delimiter, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { isSent } from "./docker-ignore.ts";
import { readDockerfile } from "./read-dockerfile.ts";
import type { Stage } from "./read-dockerfile.ts";

/** The result of the last stage of a Dockerfile. */
export interface BuiltStage {
  /** The folder of its last `WORKDIR`. */
  readonly workFolder: string;
  /** The variables of `ENV`, and those that every container has. */
  readonly env: Readonly<Record<string, string>>;
  /** The user and group of the last `USER`. */
  readonly user: User;
  /** The words of the instructions that only describe the image, such as `CMD`, by name. */
  readonly described: Readonly<Record<string, string>>;
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

interface Building {
  /** The folder with the Dockerfile. */
  readonly context: string;
  /** The text of its `.dockerignore`. */
  readonly rules: string;
  readonly env: Readonly<Record<string, string>>;
  /** The root folder of each stage with a name, once it is built. */
  readonly roots: Map<string, Promise<string>>;
}

/**
 * Runs the steps of the Dockerfile in ordinary folders, as `docker build` does in containers. Each stage has a folder as its
 * root, `COPY` copies from the context or an earlier stage, and `RUN` runs in the shell, with this process's Node.
 *
 * @param context the folder with the Dockerfile
 * @param folder an empty one, which other users may read
 */
export async function buildStages(context: string, folder: string): Promise<BuiltStage> {
  const binaries = join(folder, "bin");
  mkdirSync(binaries);
  // A copy, because the image's user may not be able to read the folder that it comes from.
  copyFileSync(process.execPath, join(binaries, "node"));
  const building: Building = {
    context,
    rules: readFileSync(join(context, ".dockerignore"), "utf8"),
    env: containerEnv(binaries),
    roots: new Map(),
  };
  let last: Promise<BuiltStage> | undefined;
  for (const [index, stage] of readDockerfile(readFileSync(join(context, "Dockerfile"), "utf8")).entries()) {
    const root = join(folder, String(index));
    mkdirSync(root);
    last = buildStage(stage, root, building);
    if (stage.name !== undefined)
      building.roots.set(
        stage.name,
        last.then(() => root),
      );
  }
  if (!last) throw new Error("The Dockerfile has no stage.");
  return last;
}

const describing = new Set(["CMD", "HEALTHCHECK", "STOPSIGNAL", "EXPOSE", "VOLUME"]);

async function buildStage({ base, instructions }: Stage, root: string, building: Building): Promise<BuiltStage> {
  if (base !== "node:24-slim") throw new Error(`The test stands in for node:24-slim, not for ${base}.`);
  let workFolder = root;
  let user = ownUser();
  const env: Record<string, string> = { ...building.env };
  const described: Record<string, string> = {};
  for (const { name, words } of instructions) {
    if (name === "WORKDIR") {
      workFolder = join(root, words);
      mkdirSync(workFolder, { recursive: true });
    } else if (name === "ENV")
      Object.assign(env, pairsOf(words.replace("$PATH", env["PATH"] ?? "").replace("/app/", `${root}/app/`)));
    else if (name === "COPY") await copy(words, workFolder, building);
    else if (name === "RUN") await run(words, workFolder, env);
    else if (name === "USER") user = userOf(words);
    else if (describing.has(name)) described[name] = words;
    else throw new Error(`The test does not know the instruction ${name}.`);
  }
  return { workFolder, env, user, described };
}

async function copy(words: string, workFolder: string, { context, rules, roots }: Building): Promise<void> {
  const [, stage, list = ""] = /^(?:--from=(\S+) )?(.+)$/.exec(words) ?? [];
  const from = stage === undefined ? context : await roots.get(stage);
  if (from === undefined) throw new Error(`COPY ${words}: there is no stage ${stage} above it.`);
  const counts = (file: string) =>
    stage !== undefined || file === from || isSent(rules, relative(from, file).replaceAll(sep, "/"));
  const paths = list.split(" ");
  const target = join(workFolder, paths.pop() ?? "");
  for (const path of paths) {
    const source = join(from, path);
    if (!counts(source)) throw new Error(`COPY ${words}: .dockerignore leaves ${path} out.`);
    // Docker copies a folder's content, and a file into the folder.
    const place = statSync(source).isDirectory() ? target : join(target, basename(path));
    cpSync(source, place, { recursive: true, verbatimSymlinks: true, filter: counts });
  }
}

async function run(command: string, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  // Only root may give a folder to another user. Without root the process's own user replaces the image's.
  const { uid, gid } = ownUser();
  const line = uid === 0 ? command : command.replaceAll(/\b\d+:\d+\b/g, `${uid}:${gid}`);
  await promisify(execFile)("/bin/sh", ["-c", line], { cwd, env });
}

/** The variables of a container and of npm, whose cache is shared, so that a repeated install needs no network. */
function containerEnv(binaries: string): Readonly<Record<string, string>> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      /^(HOME|npm_config_(cache|registry))$/.test(entry[0]) && entry[1] !== undefined,
  );
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((each) => !each.includes("node_modules"));
  return {
    ...Object.fromEntries(kept),
    PATH: [binaries, ...folders].join(delimiter),
    npm_config_prefer_offline: "true",
    npm_config_update_notifier: "false",
  };
}

function pairsOf(words: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.split(" ").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
}

function userOf(words: string): User {
  const [, uid, gid] = /^(\d+):(\d+)$/.exec(words) ?? [];
  if (uid === undefined) throw new Error(`USER ${words}: name the user by number, as Kubernetes needs it.`);
  return ownUser().uid === 0 ? { uid: Number(uid), gid: Number(gid) } : ownUser();
}

function ownUser(): User {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}
