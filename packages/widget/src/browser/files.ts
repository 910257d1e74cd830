import { SAVED_FILE_URL_MS } from "../timings.ts";
import type { Stoppable } from "./timers.ts";

/** A file's bytes as a data URL. */
export function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(reader.error ?? new Error(`${file.name} could not be read.`)));
    reader.readAsDataURL(file);
  });
}

/**
 * Saves a text as a file, like a press on a download link.
 *
 * @param ended aborts when the widget ends
 */
export function saveFile(name: string, type: string, text: string, ended: AbortSignal): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  saveBlobUrl(name, url, ended, () => URL.revokeObjectURL(url));
}

/**
 * Saves the content of a blob URL, like a press on a download link.
 *
 * @param ended aborts when the widget ends
 * @param release revokes the URL; called once the browser has had the time to read it, or when the widget ends
 */
export function saveBlobUrl(name: string, url: string, ended: AbortSignal, release: () => void): void {
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  const finish = () => {
    clearTimeout(timer);
    ended.removeEventListener("abort", finish);
    release();
  };
  const timer = setTimeout(finish, SAVED_FILE_URL_MS);
  ended.addEventListener("abort", finish);
  // The widget may have ended while the file was loading.
  if (ended.aborted) finish();
}

export interface Previews extends Stoppable {
  /** Returns a blob URL of the file. */
  create(file: File): string;
  /** Revokes a blob URL. */
  release(url: string): void;
}

/** Creates blob URLs of files that the visitor attaches. `stop` revokes them all. */
export function createPreviews(): Previews {
  const urls = new Set<string>();
  const release = (url: string) => {
    if (urls.delete(url)) URL.revokeObjectURL(url);
  };
  return {
    create(file) {
      const url = URL.createObjectURL(file);
      urls.add(url);
      return url;
    },
    release,
    stop: () => urls.forEach(release),
  };
}
