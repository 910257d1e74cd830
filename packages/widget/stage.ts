/** Stages the package as it is published: `node stage.ts <folder>`. See scripts/pack-packages.mjs. */
import { cp } from "node:fs/promises";
import { join } from "node:path";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("stage.ts needs the folder that it fills: node stage.ts <folder>");

await cp(join(import.meta.dirname, "dist"), join(folder, "dist"), { recursive: true });
