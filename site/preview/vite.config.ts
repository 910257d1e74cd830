import { join } from "node:path";
import { defineConfig } from "vite";

/** The page of the playground's preview. It lies beside the pages of the site, which serves it as it is. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  build: {
    outDir: join(import.meta.dirname, "..", ".pages", "public", "preview"),
    emptyOutDir: true,
    target: "esnext",
    rollupOptions: {
      // A comment of a dependency, which the bundler drops.
      onwarn: (warning, warn) => (warning.code === "INVALID_ANNOTATION" ? undefined : warn(warning)),
    },
  },
  // Vite 5 does not know the target of our tsconfig.json.
  esbuild: { tsconfigRaw: { compilerOptions: { target: "esnext" } } },
});
