import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { APP, appOptions, appOutput, commonConfig, output, source, TOGETHER } from "./build-config.ts";

const REACT_ENTRY = join(source, "package/react.tsx");

/**
 * Builds the modules of the package, for pages with a bundler: the entries, and the chunks that they load. Stylesheets are
 * modules too, and no file is requested relative to a script, so every bundler finds all of it without a plug-in.
 *
 * @param folder the output folder
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
        // The component uses the page's React, and the app uses the widget's own.
        external: (id, importer) => /^react(?:\/|$)/.test(id) && importer === REACT_ENTRY,
        ...appOptions,
        output: {
          ...appOutput,
          codeSplitting: {
            // The groups are in the order in which a page loads them. Code that two of them share goes to the first: otherwise
            // a page would load the code of threads with the entry.
            groups: [
              { name: "init", tags: ["$initial"], test: (id) => id !== REACT_ENTRY },
              { name: "closed-launcher", test: /\/src\/launcher\.ts$/ },
              { name: "app", test: (id) => id === APP },
              ...TOGETHER,
            ],
          },
          entryFileNames: "[name].js",
          // Next would otherwise treat it as a server component.
          postBanner: ({ name }) => (name === "react" ? '"use client";\n' : ""),
        },
      },
    },
  });
  await mkdir(folder, { recursive: true });
  // These entries contain only types.
  for (const name of ["jsx", "vue"]) await writeFile(join(folder, `${name}.js`), "export {};\n");
}
