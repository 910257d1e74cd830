/** The address of a file if it may be saved from there: a web address, a relative one, or the file itself. */
export function safeFile(url: string): string | undefined {
  return /^(?:(?:https?|data|blob):|[^:]*(?:[/?#]|$))/i.test(url) ? url : undefined;
}
