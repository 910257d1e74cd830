import type { Stoppable } from "./stoppable.ts";

/** A file with all its bytes as a URL. */
export function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(reader.error ?? new Error(`${file.name} could not be read.`)));
    reader.readAsDataURL(file);
  });
}

export interface Previews extends Stoppable {
  /** An address under which this page can show the file. */
  create(file: File): string;
  release(url: string): void;
}

/** Files as the browser can show them, until they are let go, one by one or all at once. */
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
