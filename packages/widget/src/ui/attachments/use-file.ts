import { useEffect, useState } from "react";
import { useChat } from "../chat-context.tsx";
import { SAVED_FILE_URL_MS } from "../../timings.ts";

/** A file's address as a page can show it. */
export interface ShownFile {
  /** Absent until there is one. */
  readonly src: string | undefined;
  readonly failed: boolean;
}

/**
 * Where the page shows a file from: the address itself, or where that needs a credential, the file behind it.
 *
 * @param address absolute; `undefined` for none
 */
export function useFile(address: string | undefined): ShownFile {
  const { loadFile } = useChat();
  const [src, setSrc] = useState<string>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!loadFile || address === undefined) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    loadFile(address, signal).then(setSrc, () => setFailed(!signal.aborted));
    return () => controller.abort();
  }, [loadFile, address]);
  return { src: loadFile ? src : address, failed };
}

/**
 * Saves a file where its address alone would not do: `undefined` where it does. Rejects when the file cannot be had.
 *
 * @param address absolute; `undefined` for none
 */
export function useSaveFile(name: string, address: string | undefined): (() => Promise<void>) | undefined {
  const { loadFile, resolveUrl } = useChat();
  if (!loadFile || !address?.startsWith(resolveUrl("."))) return undefined;
  return async () => {
    const controller = new AbortController();
    const href = await loadFile(address, controller.signal);
    Object.assign(document.createElement("a"), { href, download: name }).click();
    setTimeout(() => controller.abort(), SAVED_FILE_URL_MS);
  };
}
