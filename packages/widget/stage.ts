/**
 * Stages the package as it is published: `node stage.ts <folder>`. See scripts/release/pack-packages.mjs.
 *
 * `dist/` is the build for script tags and servers, `dist/whole/` the same with React as published, `esm/` contains the modules
 * for bundlers, and `types/` their types.
 */
import { execFile } from "node:child_process";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildModules } from "./build-modules.ts";
import { declareTypes } from "./declare-types.ts";
import { elementManifest } from "./element-manifest.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("stage.ts needs the folder that it fills: node stage.ts <folder>");

await cp(join(import.meta.dirname, "dist"), join(folder, "dist"), { recursive: true });
const whole = join(folder, "dist", "whole");
await promisify(execFile)(process.execPath, [join(import.meta.dirname, "build.ts"), "--whole", whole]);
for (const built of [join(folder, "dist"), whole]) await leaveOutDependencies(built);
await buildModules(join(folder, "esm"));
await declareTypes(
  ["init.ts", "react.tsx", "jsx.ts", "vue.ts"].map((file) => `src/package/${file}`),
  join(folder, "types"),
);
await writeFile(join(folder, "custom-elements.json"), `${JSON.stringify(await elementManifest(), null, 2)}\n`);

/** The part of a source map that is changed here. */
interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
}

/**
 * Removes the text of dependencies from the source maps, which is a quarter of the tarball. The rest stays, so that a host's
 * developer tools and error tracker can name the file, line and function of a failure.
 */
async function leaveOutDependencies(dist: string): Promise<void> {
  for (const file of await readdir(dist)) {
    if (!file.endsWith(".map")) continue;
    const map = JSON.parse(await readFile(join(dist, file), "utf8")) as SourceMap;
    const sourcesContent = map.sources.map((source, index) =>
      source.includes("/node_modules/") ? null : (map.sourcesContent[index] ?? null),
    );
    await writeFile(join(dist, file), JSON.stringify({ ...map, sourcesContent }));
  }
}
