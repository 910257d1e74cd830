import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { APP, appOptions, appOutput, commonConfig, output, source, TOGETHER } from "./build-config.ts";

const REACT_ENTRY = join(source, "package/react.tsx");

/**
 * Builds the modules of the package, for pages with a bundler: the entries, and the chunks that they load. Stylesheets are
 * modules too, and nothing is looked for beside a script, so every bundler finds all of it without a plug-in.
 *
 * @param folder where they go
 */
export async function buildModules(folder: string): Promise<void> {
  const common = commonConfig("trimmed");
  await build({
    ...common,
    build: {
      ...output,
      outDir: folder,
      lib: { entry: { index: join(source, "package/init.ts"), react: REACT_ENTRY }, formats: ["es"] },
      rolldownOptions: {
        // The page's React is for the component, the widget's own for the app.
        external: (id, importer) => /^react(?:\/|$)/.test(id) && importer === REACT_ENTRY,
        ...appOptions,
        output: {
          ...appOutput,
          codeSplitting: {
            // In the order in which a page loads them. What two of them share is in the first: otherwise a page would load the
            // code of threads with the entry.
            groups: [
              { name: "init", tags: ["$initial"], test: (id) => id !== REACT_ENTRY },
              { name: "closed-launcher", test: /\/src\/launcher\.ts$/ },
              { name: "app", test: (id) => id === APP },
              ...TOGETHER,
            ],
          },
          entryFileNames: "[name].js",
          // Next takes it for a component of the server otherwise.
          postBanner: ({ name }) => (name === "react" ? '"use client";\n' : ""),
        },
      },
    },
  });
  await mkdir(folder, { recursive: true });
  // These have types alone.
  for (const name of ["jsx", "vue"]) await writeFile(join(folder, `${name}.js`), "export {};\n");
}
