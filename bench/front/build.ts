import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";

const widget = join(import.meta.dirname, "..", "..", "packages", "widget");

/** Builds the widget as it is shipped. Returns the folder. */
export function buildWidget(): string {
  execFileSync(process.execPath, ["build.ts"], {
    cwd: widget,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return join(widget, "dist");
}

/** Builds the page with react-markdown into a folder, the same way. */
export async function buildReactMarkdown(folder: string): Promise<string> {
  await build({
    root: import.meta.dirname,
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    mode: "production",
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: "es2022",
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(import.meta.dirname, "react-markdown-page.ts"),
        output: { entryFileNames: "page.js" },
      },
    },
  });
  await writeFile(
    join(folder, "index.html"),
    '<!doctype html><html lang="ru"><meta charset="utf-8"><title>react-markdown</title><body><script type="module" src="page.js"></script></body></html>',
  );
  return folder;
}
