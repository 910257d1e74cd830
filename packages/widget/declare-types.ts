import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { runCompiler } from "../../scripts/run-compiler.mjs";

const root = import.meta.dirname;
const packages = dirname(root);

/**
 * Writes the types of the package's entries: those of the sources that an entry reaches. Types of the view and of the build are
 * not among them.
 *
 * @param entries sources, as paths from the package's folder
 * @param folder the output folder
 */
export async function declareTypes(entries: readonly string[], folder: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "nitka-types-"));
  try {
    const config = join(work, "tsconfig.json");
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      // The compiler also reads the protocol's sources, which are in a folder beside the widget's.
      rootDir: packages,
      outDir: join(work, "out"),
      typeRoots: [join(packages, "..", "node_modules", "@types")],
    };
    const files = [...entries, "src/css-text.d.ts"].map((path) => join(root, path));
    await writeFile(
      config,
      JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, include: [], files }),
    );
    const tsc = await runCompiler(["-p", config]);
    if (!tsc.ok) throw new Error(`The types of the package could not be made:\n${tsc.output}`);
    const out = join(work, "out", "widget", "src");
    for (const file of await reachedFrom(entries.map((path) => join(out, relative("src", declarationOf(path)))))) {
      await cp(file, join(folder, relative(out, file)));
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The type files that these entries import, directly or indirectly, under the names that a page's compiler resolves. */
async function reachedFrom(entries: readonly string[]): Promise<ReadonlySet<string>> {
  const reached = new Set(entries);
  // Iterating a set includes elements that are added meanwhile.
  for (const file of reached) {
    const types = await readFile(file, "utf8");
    for (const [, path = ""] of types.matchAll(IMPORT)) reached.add(join(dirname(file), declarationOf(path)));
    await writeFile(
      file,
      types.replaceAll(IMPORT, (all) => all.replace(/\.tsx?"/, '.js"')),
    );
  }
  return reached;
}

const IMPORT = /(?:from |import\(|import )"(\.{1,2}\/[^"]*\.tsx?)"/g;

function declarationOf(source: string): string {
  return source.replace(/\.tsx?$/, ".d.ts");
}
