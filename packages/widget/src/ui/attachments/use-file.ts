import { useEffect, useState } from "react";
import { useChat } from "../chat-context.tsx";
import { saveBlobUrl } from "../../browser/files.ts";

/** The address that the page can show a file from; `undefined` while it is being loaded and after that failed. */
export type FileSource =
  | { readonly src: string | undefined; readonly failed: false }
  | { readonly src: undefined; readonly failed: true };

/**
 * The address to show a file from: the given one, or a blob URL where the file needs the visitor's token.
 *
 * @param address absolute; `undefined` for no file
 */
export function useFile(address: string | undefined): FileSource {
  const { loadFile } = useChat();
  const [source, setSource] = useState<FileSource>({ src: undefined, failed: false });
  useEffect(() => {
    if (!loadFile || address === undefined) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    loadFile(address, signal).then(
      (src) => setSource({ src, failed: false }),
      () => signal.aborted || setSource({ src: undefined, failed: true }),
    );
    return () => controller.abort();
  }, [loadFile, address]);
  return loadFile ? source : { src: address, failed: false };
}

/**
 * A function that saves a file which needs the visitor's token; `undefined` for any other file, which its address alone
 * opens. The function rejects if the file cannot be loaded.
 *
 * @param address absolute; `undefined` for no file
 */
export function useSaveFile(name: string, address: string | undefined): (() => Promise<void>) | undefined {
  const { loadFile, resolveUrl, signal } = useChat();
  if (!loadFile || !address?.startsWith(resolveUrl("."))) return undefined;
  return async () => {
    const controller = new AbortController();
    const href = await loadFile(address, controller.signal);
    saveBlobUrl(name, href, signal, () => controller.abort());
  };
}
