import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PackedPackage } from "../../scripts/release/pack-packages.mjs";
import { findNpm } from "../../scripts/find-npm.mjs";
import { runCommand } from "../../scripts/run-command.mjs";
import { root } from "../../scripts/workspace.mjs";

export interface AppOptions {
  readonly packages: readonly PackedPackage[];
  /** Our packages that the app uses, such as `@nitka/server`. Their dependencies among our packages are installed too. */
  readonly uses: readonly string[];
  /** Other packages that the app uses, with their versions. */
  readonly dependencies?: Readonly<Record<string, string>>;
  /** Whether they need other versions of their dependencies than the repository has. */
  readonly ownVersions?: boolean;
  /** The app's files by path, beside its package.json. */
  readonly files: Readonly<Record<string, string>>;
}

/** A listening process of the app. */
export interface Serving {
  readonly url: string;
  /** The process's output so far. */
  output(): string;
  stop(): Promise<void>;
}

/** An app in a separate folder, far from the repository, with the packages as npm installs them. */
export interface InstalledApp {
  readonly folder: string;
  /** Runs a script of the app, or of a package in it, to its end and returns its output. Throws if the script fails. */
  run(script: string, ...args: readonly string[]): Promise<string>;
  /** The same with another Node. */
  runOn(node: string, script: string, ...args: readonly string[]): Promise<string>;
  /** The same with settings in the environment. */
  runWith(
    env: Readonly<Record<string, string>>,
    node: string,
    script: string,
    ...args: readonly string[]
  ): Promise<string>;
  /** Starts a script that prints its listening address and keeps running. */
  serve(node: string, script: string, env?: Readonly<Record<string, string>>): Promise<Serving>;
  remove(): void;
}

/** Creates an app in an empty folder and installs its packages: ours from their tarballs, others from npm. */
export async function installApp({
  packages,
  uses,
  dependencies = {},
  ownVersions = false,
  files,
}: AppOptions): Promise<InstalledApp> {
  const folder = mkdtempSync(join(tmpdir(), "nitka-app-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const tarballs = Object.fromEntries(withTheirs(packages, uses).map(({ name, tarball }) => [name, `file:${tarball}`]));
  const manifest = {
    name: "app",
    private: true,
    type: "module",
    dependencies: { ...dependencies, ...tarballs },
    // The versions of our lockfile are used, so that the release of another package cannot fail a test.
    ...(!ownVersions && { overrides: lockedVersions([...Object.keys(dependencies), ...Object.keys(tarballs)]) }),
  };
  for (const [path, text] of Object.entries({ "package.json": JSON.stringify(manifest), ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const runWith: InstalledApp["runWith"] = async (settings, node, script, ...args) => {
    // A build of the app sets production itself. The test runner has set another environment.
    const env = { NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: "1", ...settings };
    const { ok, output } = await runCommand(node, [script, ...args], { cwd: folder, env, timeoutMs: 240_000 });
    if (!ok) throw new Error(`${script} ${args.join(" ")} failed in ${folder}:\n${output}`);
    return output;
  };
  const runOn: InstalledApp["runOn"] = (node, script, ...args) => runWith({}, node, script, ...args);
  const run = (script: string, ...args: readonly string[]) => runOn(process.execPath, script, ...args);
  try {
    await run(findNpm(), "install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error");
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, run, runOn, runWith, serve: (node, script, env = {}) => serve(folder, node, script, env), remove };
}

/** The named packages and their dependencies among our packages. */
function withTheirs(packages: readonly PackedPackage[], names: readonly string[]): readonly PackedPackage[] {
  const found = new Set<PackedPackage>();
  const add = (name: string) => {
    const packed = packages.find((each) => each.name === name);
    if (!packed || found.has(packed)) return;
    found.add(packed);
    const { dependencies = {} } = readJson(join(packed.folder, "package.json")) as {
      readonly dependencies?: Readonly<Record<string, string>>;
    };
    for (const each of Object.keys(dependencies)) add(each);
  };
  for (const name of names) add(name);
  return [...found];
}

/** The packages that the lockfile has in only one version. npm refuses to override what the app names itself. */
function lockedVersions(named: readonly string[]): Readonly<Record<string, string>> {
  const { packages } = readJson(join(root, "package-lock.json")) as {
    readonly packages: Readonly<Record<string, { readonly version?: string; readonly link?: boolean }>>;
  };
  const versions = new Map<string, Set<string>>();
  for (const [path, { version, link }] of Object.entries(packages)) {
    const name = /.*node_modules\/(.+)$/.exec(path)?.[1];
    if (name === undefined || version === undefined || link || named.includes(name)) continue;
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  return Object.fromEntries(
    [...versions].flatMap(([name, all]) => (all.size === 1 ? [[name, [...all].join("")]] : [])),
  );
}

async function serve(
  folder: string,
  node: string,
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<Serving> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const settings = { PATH, HOME, NODE_COMPILE_CACHE, PORT: "0", NO_COLOR: "1", ...env };
  const child = spawn(node, [script], { cwd: folder, env: settings });
  let output = "";
  const { promise: address, resolve, reject } = Promise.withResolvers<string>();
  const read = (text: string) => {
    output += text;
    const found = /https?:\/\/[^\s"']+:\d+/.exec(output)?.[0];
    if (found !== undefined) resolve(found);
  };
  child.stdout.setEncoding("utf8").on("data", read);
  child.stderr.setEncoding("utf8").on("data", read);
  child.once("error", reject);
  child.once("exit", (code) => reject(new Error(`${script} ended with ${code} before it listened:\n${output}`)));
  const url = await address;
  return {
    url,
    output: () => output,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
