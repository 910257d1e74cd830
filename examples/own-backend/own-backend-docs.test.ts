import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const run = promisify(execFile);
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const docs = readFileSync(path("../../docs/own-backend.md"), "utf8");

let address = "";
let stop = () => {};

beforeAll(async () => {
  const child = spawn(process.execPath, [path("own-backend.mjs")], { env: { ...process.env, PORT: "0" } });
  stop = () => void child.kill();
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  address = line.toString().trim().replace(/\/$/, "");
});
afterAll(() => stop());

/** A command of the transcript, and its output on the page. */
interface Step {
  readonly args: readonly string[];
  readonly printed: string;
}

/** The commands of the page's transcript. A line that ends with a backslash continues on the next line. */
function transcript(): readonly Step[] {
  const blocks = [...docs.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block = ""]) => block);
  const steps = blocks.flatMap((block) => block.split(/^\$ curl /m).slice(1));
  return steps.map((step) => {
    const [, command = "", printed = ""] = /^((?:.*\\\n)*.*\n)([^]*)$/.exec(step) ?? [];
    const words = command.replaceAll("\\\n", " ").match(/'[^']*'|\S+/g) ?? [];
    return { args: words.map((word) => word.replace(/^'(.*)'$/s, "$1")), printed: printed.trim() };
  });
}

/** Ids and times, which differ between runs. */
const varying = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|a-[0-9a-f]{8}|\d{4}-\d\d-\d\dT[\d:.]+Z/g;

it("curl prints what the documentation says, command by command", async () => {
  const steps = transcript();
  expect(steps).toHaveLength(8);
  // Maps the page's texts to the actual ones: a thread's id in the page stands for the same thread in all commands.
  const actual = new Map<string, string>();
  const asNow = (text: string) =>
    text.replaceAll("http://localhost:3001", address).replaceAll(varying, (value) => actual.get(value) ?? value);
  for (const { args, printed } of steps) {
    const { stdout } = await run("curl", args.map(asNow));
    const came = stdout.match(varying) ?? [];
    for (const [index, value] of (printed.match(varying) ?? []).entries()) actual.set(value, came[index] ?? "");
    expect(stdout.trim()).toBe(asNow(printed));
  }
});

it("nitka conformance finds nothing that fails", async () => {
  const nitka = path("../../apps/nitka/bin/nitka.mjs");
  const { stdout } = await run(process.execPath, [nitka, "conformance", address, "--json"]);
  const { outcomes } = JSON.parse(stdout) as { readonly outcomes: readonly Outcome[] };
  const of = (status: string) => outcomes.filter((outcome) => outcome.status === status).map(({ title }) => title);
  expect([of("fails"), of("advised")]).toEqual([
    [],
    ["a title of white space, and one of 10,000 characters, are refused", "clients of the AI SDK recognise the stream"],
  ]);
  expect(of("holds").length).toBeGreaterThan(25);
});

interface Outcome {
  readonly title: string;
  readonly status: string;
}

it("the page in Russian, docs/ru/own-backend.md, has the same blocks of code", () => {
  const blocksOf = (text: string) => text.match(/^```.*?^```$/gms);
  expect(blocksOf(readFileSync(path("../../docs/ru/own-backend.md"), "utf8"))).toEqual(blocksOf(docs));
});
