import { execFileSync } from "node:child_process";
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

/** Builds a page of one script for production. The script finds an element `#root`. */
export async function buildPage(script: string, into: string): Promise<void> {
  const root = join(script, "..");
  const page = join(root, "index.html");
  const html = `<!doctype html><html lang="ru"><head><meta charset="utf-8" /><title>A chat</title></head>
<body><div id="root"></div><script type="module" src="${script}"></script></body></html>`;
  await build({
    root,
    base: "./",
    configFile: false,
    publicDir: false,
    logLevel: "error",
    mode: "production",
    build: {
      outDir: into,
      emptyOutDir: true,
      target: "es2022",
      reportCompressedSize: false,
      rolldownOptions: { input: page },
    },
    // The page is not in a file.
    plugins: [
      {
        name: "page-of-a-script",
        enforce: "pre",
        resolveId: (id) => (id === page ? id : undefined),
        load: (id) => (id === page ? html : undefined),
      },
    ],
  });
}
