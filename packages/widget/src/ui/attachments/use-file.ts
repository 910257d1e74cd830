import { useEffect, useState } from "react";
import { useChat } from "../chat-context.tsx";
import { saveBlobUrl } from "../../browser/files.ts";

/** The address from which the page can show a file; `undefined` while the file loads and after a failure. */
export type FileSource =
  | { readonly src: string | undefined; readonly failed: false }
  | { readonly src: undefined; readonly failed: true };

/**
 * The address from which a file is shown: the given one, or a blob URL if the file needs the visitor's token.
 *
 * @param address absolute; `undefined` if there is no file
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
 * Returns a function that saves a file which needs the visitor's token; `undefined` for any other file, because its address
 * alone opens it. The function rejects if the file cannot be loaded.
 *
 * @param address absolute; `undefined` if there is no file
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
