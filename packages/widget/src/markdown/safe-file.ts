/** The address of a file if it may be downloaded: over http or https, relative, a data URL or a blob URL. */
export function safeFile(url: string): string | undefined {
  return /^(?:(?:https?|data|blob):|[^:]*(?:[/?#]|$))/i.test(url) ? url : undefined;
}
