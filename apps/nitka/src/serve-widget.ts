import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createStaticFiles } from "./static-files.ts";
import type { StaticFiles } from "./static-files.ts";

/** The folder of the built widget, which is served at `/widget/`. */
export function widgetFolder(): string {
  return join(dirname(fileURLToPath(import.meta.resolve("@nitka/widget/package.json"))), "dist");
}

/** Whether the folder contains a built widget. */
export function isWidgetBuilt(folder: string): boolean {
  return existsSync(join(folder, "nitka.js"));
}

/** Serves the widget to the pages of any site. */
export function createWidgetFiles(folder: string): StaticFiles {
  return createStaticFiles({
    folder,
    headers: (path) => ({
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": isHashed(path) ? "public, max-age=31536000, immutable" : "no-cache",
    }),
  });
}

/** Names such as `app-B7c2x_9Q.js` change with their content. */
function isHashed(path: string): boolean {
  return /-[\w-]{8}\.(?:js|css)(?:\.map)?$/.test(path);
}
