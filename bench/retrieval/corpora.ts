/** Sites that Debian ships, read as `nitka ingest` reads a folder, with their questions. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteKnowledge, readSources } from "@nitka/knowledge";
import type { KnownPage, PageContent } from "@nitka/knowledge";
import { runCommand } from "../../scripts/run-command.mjs";
import { root } from "../../scripts/workspace.mjs";

export interface Question {
  readonly kind: string;
  readonly text: string;
  /** Every page that answers the question. */
  readonly urls: readonly string[];
}

export interface Corpus {
  readonly name: string;
  readonly pages: readonly (KnownPage & { readonly content: PageContent })[];
  readonly questions: readonly Question[];
}

interface Document {
  readonly package: string;
  readonly folder: string;
  /** The prefix that the questions' file writes before the names of its pages. */
  readonly prefix: string;
}

/**
 * Two sites with a hundred questions each, half of which are used for tuning, and one in two languages that is not used for
 * tuning.
 */
const sites = {
  ru: [
    { package: "aptitude-doc-ru", folder: "usr/share/doc/aptitude/html/ru", prefix: "a/" },
    { package: "doublecmd-help-ru", folder: "usr/share/doublecmd/doc/ru", prefix: "d/" },
    { package: "developers-reference-ru", folder: "usr/share/developers-reference/ru", prefix: "r/" },
  ],
  en: [{ package: "debian-handbook", folder: "usr/share/doc/debian-handbook/html/en-US", prefix: "" }],
  "gimp-ru": [{ package: "gimp-help-ru", folder: "usr/share/gimp/2.0/help/ru", prefix: "" }],
  "gimp-en": [{ package: "gimp-help-en", folder: "usr/share/gimp/2.0/help/en", prefix: "" }],
} satisfies Readonly<Record<string, readonly Document[]>>;

export type SiteName = keyof typeof sites;

const origin = "https://docs.example/";
const cache = join(root, "node_modules", ".cache", "nitka", "retrieval");

export async function readCorpora(names: readonly SiteName[]): Promise<readonly Corpus[]> {
  const corpora: Corpus[] = [];
  for (const name of names) {
    const sources = [];
    for (const document of sites[name]) {
      const folder = join(await unpacked(document.package), document.folder);
      // One file of this document repeats all others, and one is an empty form.
      const exclude = ["/*/developers-reference.html", "/*/search.html"];
      sources.push({ folder, url: `${origin}${document.prefix}`, exclude });
    }
    corpora.push({ name, pages: await readPages(sources), questions: await readQuestions(name) });
  }
  return corpora;
}

/** The pages of the English site in their original form, by name. */
export async function readDocuments(): Promise<ReadonlyMap<string, string>> {
  const [document] = sites.en;
  const folder = document ? join(await unpacked(document.package), document.folder) : "";
  const names = (await readdir(folder)).filter((name) => name.endsWith(".html"));
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const)),
  );
}

type Folder = { readonly folder: string; readonly url: string; readonly exclude: readonly string[] };

async function readPages(sources: readonly Folder[]): Promise<Corpus["pages"]> {
  const place = await mkdtemp(join(tmpdir(), "nitka-retrieval-"));
  const store = await openSqliteKnowledge({ path: join(place, "pages.db") });
  try {
    const result = await readSources({ store, projectId: "p", sources, signal: AbortSignal.timeout(300_000) });
    if (result === "busy" || result.unread.length > 0)
      throw new Error(`A site was not read: ${JSON.stringify(result)}`);
    const pages = [];
    for (const { url } of await store.knownPages("p")) {
      const page = await store.page("p", url);
      if (page) pages.push(page);
    }
    return pages;
  } finally {
    await store.close();
    await rm(place, { recursive: true });
  }
}

async function readQuestions(name: string): Promise<readonly Question[]> {
  const text = await readFile(new URL(`questions.${name}.txt`, import.meta.url), "utf8");
  const questions: Question[] = [];
  let kind = "";
  for (const line of text.split("\n")) {
    if (line.startsWith("# ")) kind = line.slice(2).split(":")[0] ?? "";
    const [question, pages] = line.split(" = ");
    if (question === undefined || pages === undefined) continue;
    questions.push({ kind, text: question, urls: pages.split(" ").map((page) => `${origin}${page}.html`) });
  }
  return questions;
}

/** The folder into which a Debian package was unpacked. The package comes from the machine's own package source. */
async function unpacked(name: string): Promise<string> {
  const folder = join(cache, name);
  if (await stat(folder).catch(() => undefined)) return folder;
  const downloads = join(cache, "downloads", name);
  await mkdir(downloads, { recursive: true });
  await run("apt-get", ["download", name], downloads);
  await run("sh", ["-c", `dpkg -x *.deb '${folder}.part' && mv '${folder}.part' '${folder}'`], downloads);
  return folder;
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const { ok, output } = await runCommand(command, [...args], { cwd });
  if (!ok) throw new Error(`${command} ${args.join(" ")} failed: ${output}`);
}
