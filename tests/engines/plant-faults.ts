/**
 * `node tests/engines/plant-faults.ts`: shows that each engine's list can fail. It builds a copy of the widget with one
 * fault in it, a fault of the kind that only that engine notices, and runs the engine's list against the copy. No part of
 * `npm test`: it takes a build and a run for each.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

interface Fault {
  readonly engine: string;
  readonly what: string;
  /** A file of the widget's, and the change in it. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const faults: readonly Fault[] = [
  {
    engine: "chromium",
    what: "the style that lets the field grow, which the others do by script",
    file: "src/ui/composer/composer.css",
    from: "  field-sizing: content;\n",
    to: "",
  },
  {
    engine: "firefox",
    what: "a call that Chromium alone has, without asking for it",
    file: "src/browser/device.ts",
    from: "NavigatorLike): boolean {\n",
    to: `NavigatorLike): boolean {\n  if (Reflect.get(navigator, "userAgentData").mobile) return false;\n`,
  },
  {
    engine: "firefox-without-textevent",
    what: "a function of React's emptied that it takes where there is no TextEvent",
    file: "react-features.ts",
    from: `reducers: { entries: "dispatchReducerAction", inner: "" }`,
    to: `reducers: { entries: "dispatchReducerAction", inner: "getFallbackBeforeInputChars" }`,
  },
  {
    engine: "webkit",
    what: "idle time asked for where there is no such thing",
    file: "src/ui/markdown/use-highlight.ts",
    from: `if (!("requestIdleCallback" in globalThis)) return callback();`,
    to: "",
  },
];

const root = fileURLToPath(new URL("../../", import.meta.url));
const chosen = process.argv.slice(2);

for (const fault of faults.filter(({ engine }) => chosen.length === 0 || chosen.includes(engine))) {
  const copy = mkdtempSync(join(tmpdir(), "nitka-fault-"));
  try {
    const dist = await buildWith(fault, copy);
    const failing = await failingSentences(fault.engine, dist);
    const verdict = `${failing.length > 0 ? "✓ fails" : "✗ STAYS GREEN"} in ${fault.engine}: ${fault.what}`;
    process.stdout.write([verdict, ...failing.map((sentence) => `    ${sentence}`), ""].join("\n"));
    if (failing.length === 0) process.exitCode = 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Builds a copy of the widget with the fault; gives the folder of what is built. */
async function buildWith({ file, from, to }: Fault, copy: string): Promise<string> {
  const widget = join(copy, "packages", "widget");
  cpSync(join(root, "packages", "widget"), widget, {
    recursive: true,
    filter: (path) => !/^(dist.*|node_modules)$/.test(basename(path)),
  });
  cpSync(join(root, "tsconfig.json"), join(copy, "tsconfig.json"));
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const path = join(widget, file);
  const code = readFileSync(path, "utf8");
  if (!code.includes(from)) throw new Error(`${file} has no «${from}» any more: the fault is to be planted anew.`);
  writeFileSync(path, code.replace(from, to));
  const { ok, output } = await run(["build.ts", "--loud"], widget, { NODE_ENV: "production" });
  if (!ok) throw new Error(`The widget with the fault does not build:\n${output}`);
  return join(widget, "dist-loud");
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
}

async function failingSentences(engine: string, dist: string): Promise<readonly string[]> {
  const report = join(dist, "report.json");
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--project", "engines", `/${engine}.test`, "--reporter=json", `--outputFile=${report}`];
  await run(args, root, { NITKA_WIDGET_DIST: dist });
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "failed")
    .map(({ title }) => title);
}

async function run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env } });
  const pieces: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => void pieces.push(String(piece)));
  const [code] = (await once(child, "close")) as [number];
  return { ok: code === 0, output: pieces.join("") };
}
