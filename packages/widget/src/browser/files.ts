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

export interface Previews extends Stoppable {
  /** Returns a blob URL of the file. */
  create(file: File): string;
  /** Revokes a blob URL. */
  release(url: string): void;
}

/** Blob URLs of files that the visitor attaches. Stopping revokes them all. */
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
