import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Snippet } from "../docs-code.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFileSync(root + path, "utf8");

/** Programs on the reader's machine that are not in this repository. */
const foreign = new Set(
  (
    "apt-get bash cat certbot chmod cp createdb curl echo git grep head install ln ls mkdir nginx openssl pg_dump pg_restore " +
    "psql python3 rsync useradd"
  ).split(" "),
);

/** The names that the commands of the documents may use. */
export interface KnownCommands {
  readonly scripts: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
  readonly steps: string;
  /** What `nitka --help` prints. */
  readonly help: string;
  readonly compose: string;
  /** The samples of the file of projects, which contain names of secrets. */
  readonly projects: string;
}

export function knownCommands(): KnownCommands {
  const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: object };
  const manifests = globSync("{packages,apps}/*/package.json", { cwd: root });
  return {
    scripts: new Set(Object.keys(scripts)),
    packages: new Set([
      ...manifests.map((path) => (JSON.parse(read(path)) as { name: string }).name),
      // Packages that hosts install beside ours, as the examples do.
      ...Object.keys((JSON.parse(read("examples/package.json")) as { devDependencies: object }).devDependencies),
    ]),
    steps: read("scripts/test-steps.mjs"),
    help: execFileSync(process.execPath, [`${root}apps/nitka/bin/nitka.mjs`, "--help"], { encoding: "utf8" }),
    compose: read("compose.yaml"),
    projects: read("deploy/projects.json") + read("examples/fastapi-model/projects.json"),
  };
}

/** The errors in the commands of a shell block. */
export function complaintsAboutCommands(
  { code, language }: Pick<Snippet, "code" | "language">,
  known: KnownCommands,
): readonly string[] {
  const files: string[] = [];
  const commands = code
    .replaceAll("\\\n", " ")
    .replaceAll(/\$\([^)]*\)/g, "…")
    .replaceAll(/<<END\n(.*?)^END$/gms, (_, file: string) => (files.push(file), ""))
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, ""))
    .flatMap((line) => line.split(/\s*(?:&&|\|\|?)\s*/))
    .map(words)
    // A variable for later commands, which is not a setting of any program.
    .filter((command) => language === "ini" || command.some((word) => !isAssignment(word)));
  const settings = files.flatMap((file) => file.trim().split("\n")).map((line) => [line]);
  return [...commands, ...settings].flatMap((command) => complaintsAbout(command, known));
}

function isAssignment(word: string): boolean {
  return /^[A-Z][A-Z0-9_]*=/.test(word);
}

/** The words of a command, with `$(…)` and quoted texts as one word. */
function words(command: string): readonly string[] {
  return command.match(/(?:\$\([^)]*\)|'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
}

function complaintsAbout(all: readonly string[], known: KnownCommands): readonly string[] {
  const start = all.findIndex((word) => !isAssignment(word));
  const settings = (start < 0 ? all : all.slice(0, start)).map((word) => word.replace(/=.*$/s, ""));
  const places = [known.help, known.compose, known.projects];
  const unknown = settings.filter((name) => !places.some((text) => mentions(text, name)));
  const complaints = [
    ...unknown.map((name) => `neither nitka --help nor compose.yaml has the setting ${name}`),
    ...all
      .flatMap(packagedFile)
      .filter((path) => globSync(path, { cwd: root }).length === 0)
      .map((path) => `there is no ${path}`),
  ];
  return start < 0 ? complaints : [...complaints, ...complaintsAboutProgram(all.slice(start), known)];
}

/** The file in the repository for a word that names a file of the installed program. */
function packagedFile(word: string): readonly string[] {
  const [, path] = /node_modules\/nitka\/(.+)$/.exec(word) ?? [];
  if (path === undefined) return [];
  return [path.startsWith("deploy/") ? path : `apps/nitka/${path}`];
}

function complaintsAboutProgram([program = "", ...args]: readonly string[], known: KnownCommands): readonly string[] {
  switch (program.replace(/^node_modules\/\.bin\//, "")) {
    case "npm":
      return complaintsAboutNpm(args, known);
    case "npx":
      return complaintsAboutProgram(args, known);
    case "nitka":
      return complaintsAboutNitka(args, known);
    case "sudo":
      return complaintsAboutProgram(args[0] === "-u" ? args.slice(2) : args, known);
    case "runuser":
      return complaintsAboutProgram(args.slice(args.indexOf("--") + 1), known);
    case "sed":
      return complaintsAboutSed(args);
    case "systemctl":
      return args
        .flatMap((word) => {
          const [, unit, kind = ".service"] = /^(nitka(?:-\w+|@)?)\d*(\.\w+)?$/.exec(word) ?? [];
          return unit === undefined ? [] : [`deploy/${unit}${kind}`];
        })
        .filter((path) => !existsSync(root + path))
        .map((path) => `there is no ${path}`);
    case "node": {
      const [file = "", ...rest] = args.filter((word) => !/^--(max-|env-file)/.test(word));
      if (file.endsWith("bin/nitka.mjs")) return complaintsAboutNitka(rest, known);
      return existsSync(root + file) ? [] : [`there is no ${file}`];
    }
    case "pip":
      return args.filter((word, index) => args[index - 1] === "-r" && !existsSync(root + word)).map(missing);
    case "uvicorn": {
      const folder = args[args.indexOf("--app-dir") + 1] ?? "";
      const files = args.flatMap((word) => /^(\w+):app$/.exec(word)?.[1] ?? []).map((name) => `${folder}/${name}.py`);
      return files.filter((path) => !existsSync(root + path)).map(missing);
    }
    case "export":
      return complaintsAbout(args, known);
    case "vite":
      return existsSync(root + args[0]) ? [] : [`there is no ${args[0]}`];
    case "docker":
      return complaintsAboutDocker(args, known);
    default:
      return foreign.has(program)
        ? []
        : [`no check knows the program «${program}»: add it to tests/docs/check-commands.ts`];
  }
}

function missing(path: string): string {
  return `there is no ${path}`;
}

function complaintsAboutNpm(
  [command = "", ...args]: readonly string[],
  { scripts, packages, steps }: KnownCommands,
): readonly string[] {
  switch (command) {
    case "ci":
      return [];
    case "install":
      return args
        .filter((word, index) => !word.startsWith("-") && args[index - 1] !== "--prefix" && !word.endsWith(".tgz"))
        .filter((name) => !packages.has(name.replace(/(?<=.)@.*$/, "")))
        .map((name) => `no package is named ${name}`);
    case "run":
      return scripts.has(args[0] ?? "") ? [] : [`package.json has no script «${args[0]}»`];
    default: {
      const named = args.slice(args.indexOf("--") + 1);
      const unknown = command === "test" ? named.filter((step) => !steps.includes(`name: "${step}"`)) : [];
      return [
        ...(scripts.has(command) ? [] : [`package.json has no script «${command}»`]),
        ...unknown.map((step) => `npm test has no step «${step}»`),
      ];
    }
  }
}

function complaintsAboutNitka(args: readonly string[], { help }: KnownCommands): readonly string[] {
  const [command] = args;
  const options = args.flatMap((word) => /^--[a-z]+/.exec(word)?.[0] ?? []);
  return [
    ...(command === undefined || command.startsWith("-") || help.includes(`\n  nitka ${command} `)
      ? []
      : [`nitka has no command «${command}»`]),
    ...options.filter((option) => !mentions(help, option)).map((option) => `nitka --help does not have ${option}`),
  ];
}

/** The text that `s/…/…/` replaces has to be in the file. */
function complaintsAboutSed(args: readonly string[]): readonly string[] {
  const [path] = args.flatMap((word) => (word.startsWith("deploy/") ? [word] : packagedFile(word)));
  // The file is the reader's own.
  if (path === undefined) return [];
  const text = existsSync(root + path) ? read(path) : "";
  return args
    .flatMap((word) => /^s([/#])(.+?)\1/.exec(word)?.[2] ?? [])
    .filter((replaced) => !text.includes(replaced))
    .map((replaced) => `${path} does not have ${replaced}`);
}

function complaintsAboutDocker([command = "", ...args]: readonly string[], known: KnownCommands): readonly string[] {
  if (command === "compose") {
    const words = args.slice(1).filter((word) => word !== "-T");
    const services = words.filter((word) => /^[a-z]/.test(word)).slice(0, args[0] === "exec" ? 1 : undefined);
    const inside = args[0] === "exec" ? complaintsAboutProgram(words.slice(1), known) : [];
    return services
      .filter((name) => !new RegExp(`^  ${name}:`, "m").test(known.compose))
      .map((name) => `compose.yaml has no service «${name}»`)
      .concat(inside);
  }
  if (command === "exec") return complaintsAboutProgram(args.slice(1), known);
  return ["build", "run"].includes(command) ? [] : [`no check knows «docker ${command}»`];
}

/** Whether a text has the name as a whole word. */
function mentions(text: string, name: string): boolean {
  return text.split(/[^\w-]+/).includes(name);
}
