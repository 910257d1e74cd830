/**
 * `node tests/engines/plant-faults.ts [engine…]` shows that the scenarios can fail in each engine. It builds a copy of the
 * widget with one fault of a kind that only that engine notices, and runs the engine's scenarios against the copy. It is
 * not part of `npm test`, since each engine takes a build and a run.
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
  /** The file in packages/widget that is changed, and the change. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const faults: readonly Fault[] = [
  {
    engine: "chromium",
    what: "the style that grows the field is missing; the other engines grow it by script",
    file: "src/ui/composer/composer.css",
    from: "  field-sizing: content;\n",
    to: "",
  },
  {
    engine: "firefox",
    what: "an API that only Chromium has is used without a check",
    file: "src/browser/device.ts",
    from: "NavigatorLike): boolean {\n",
    to: `NavigatorLike): boolean {\n  if (Reflect.get(navigator, "userAgentData").mobile) return false;\n`,
  },
  {
    engine: "firefox-without-textevent",
    what: "the function that React uses without TextEvent is empty",
    file: "react-features.ts",
    from: `reducers: { entries: "dispatchReducerAction", inner: "" }`,
    to: `reducers: { entries: "dispatchReducerAction", inner: "getFallbackBeforeInputChars" }`,
  },
  {
    engine: "webkit",
    what: "requestIdleCallback is used without a check",
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
    const failing = await failingScenarios(fault.engine, dist);
    const verdict = `${failing.length > 0 ? "✓ fails" : "✗ STAYS GREEN"} in ${fault.engine}: ${fault.what}`;
    process.stdout.write([verdict, ...failing.map((scenario) => `    ${scenario}`), ""].join("\n"));
    if (failing.length === 0) process.exitCode = 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Builds a copy of the widget with the fault and returns the folder with the build. */
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
  if (!code.includes(from)) throw new Error(`${file} has no «${from}» any more: change the fault in plant-faults.ts.`);
  writeFileSync(path, code.replace(from, to));
  const { ok, output } = await run(["build.ts", "--loud"], widget);
  if (!ok) throw new Error(`The widget with the fault does not build:\n${output}`);
  return join(widget, "dist-loud");
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
}

async function failingScenarios(engine: string, dist: string): Promise<readonly string[]> {
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

async function run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env } });
  const pieces: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => void pieces.push(String(piece)));
  const [code] = (await once(child, "close")) as [number];
  return { ok: code === 0, output: pieces.join("") };
}
