import { open, readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { type AddressFilter, isWanted } from "../addresses.ts";
import { formatOfName } from "../content/document-format.ts";
import { UnreadablePage } from "../content/page-text.ts";
import type { OpenedSource } from "./opened-source.ts";
import type { SiteOptions } from "./request.ts";

/**
 * The documents below a folder. Dot files are left out, and so is what a link leads to outside of the folder; links to folders
 * are never followed, since what they show is below the folder anyway, or outside.
 */
export async function openFolder(
  source: AddressFilter & { readonly folder: string; readonly url: string },
  { limits, signal }: Pick<SiteOptions, "limits" | "signal">,
): Promise<OpenedSource> {
  const root = await realpath(source.folder).catch(() => undefined);
  if (root === undefined || !(await stat(root)).isDirectory()) {
    throw new UnreadablePage("not_found", `There is no folder ${source.folder}.`);
  }
  const files = new Map<string, string>();
  const failures: { readonly url: string; readonly code: string; readonly reason: string }[] = [];
  const base = source.url.endsWith("/") ? source.url : `${source.url}/`;
  const folders = [""];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    signal.throwIfAborted();
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: Error) => {
      failures.push({ url: new URL(addressOf(`${folder}/`), base).href, code: "unreadable", reason: error.message });
      return [];
    });
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      if (entry.name.startsWith(".")) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else if (formatOfName(entry.name) !== undefined && (entry.isFile() || entry.isSymbolicLink())) {
        const file = await realpath(join(root, path)).catch(() => undefined);
        const address = new URL(addressOf(path), base).href;
        const isInside = file?.startsWith(root + sep) === true && (await stat(file)).isFile();
        if (file !== undefined && isInside && isWanted(address, source)) files.set(address, file);
      }
    }
    if (files.size > limits.pages) {
      throw new UnreadablePage("too_many", `The folder has more than ${limits.pages.toLocaleString("en")} documents.`);
    }
  }
  return {
    addresses: [...files.keys()],
    isWhole: failures.length === 0,
    failures,
    skipped: [],
    async visit(address, options) {
      const file = files.get(address);
      const format = formatOfName(file ?? "");
      if (file === undefined || format === undefined) return { outcome: "gone" };
      const handle = await open(file).catch((error: Error) => {
        throw new UnreadablePage("unreadable", error.message);
      });
      try {
        const { size, mtimeMs } = await handle.stat();
        const version = { etag: `${size}-${mtimeMs}` };
        if (options.versionOf(address)?.etag === version.etag) return { outcome: "unchanged", url: address, version };
        if (size > limits.pageBytes) {
          throw new UnreadablePage("too_large", `It is larger than ${Math.round(limits.pageBytes / 1_000_000)} MB.`);
        }
        const { readDocument } = await import("../content/read-document.ts");
        const page = await readDocument({ bytes: await handle.readFile(), format, url: address }, options.signal);
        if (page.noindex) return { outcome: "skipped", reason: "The page says noindex." };
        return { outcome: "read", url: address, version, page };
      } finally {
        await handle.close();
      }
    },
  };
}

const addressOf = (path: string): string => path.split("/").map(encodeURIComponent).join("/");
