/**
 * Stages the package as it is published: `node stage.ts <folder>`. See scripts/pack-packages.mjs.
 *
 * `dist/` is the build for script tags and servers, `esm/` has the modules for bundlers, `types/` their types.
 */
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildModules } from "./build-modules.ts";
import { declareTypes } from "./declare-types.ts";
import { elementManifest } from "./element-manifest.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("stage.ts needs the folder that it fills: node stage.ts <folder>");

await cp(join(import.meta.dirname, "dist"), join(folder, "dist"), { recursive: true });
await buildModules(join(folder, "esm"));
await declareTypes(
  ["init.ts", "react.tsx", "jsx.ts", "vue.ts"].map((file) => `src/package/${file}`),
  join(folder, "types"),
);
await writeFile(join(folder, "custom-elements.json"), `${JSON.stringify(await elementManifest(), null, 2)}\n`);
