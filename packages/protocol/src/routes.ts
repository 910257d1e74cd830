/**
 * Every path that is called, relative to the api base (the config path: to the proxy URL). None begins with a slash, so
 * that each resolves beside its base.
 */
export const routes = {
  config: configRoute,
  threads: () => "api/debug/threads",
  messages: ofThread("messages"),
  rename: ofThread("rename"),
  archive: ofThread("archive"),
  run: ofThread("run/stream"),
  cancel: ofThread("run/cancel"),
  branch: ofThread("branch"),
  attachments: ofThread("attachments"),
  visitor: () => "api/debug/visitor",
  claim: () => "api/debug/visitor/claim",
} as const;

/** The config's path, for callers that load none of the others. */
export function configRoute(projectId: string): string {
  return `api/projects/${encodeURIComponent(projectId)}/config`;
}

/** Where an attachment lies: only the server says so, in what it answers. */
export function attachmentRoute(attachmentId: string): string {
  return `api/debug/attachments/${encodeURIComponent(attachmentId)}`;
}

/**
 * The attachment that such an address names; `undefined` for every other address.
 *
 * @example attachmentIdIn("api/debug/attachments/f1") // "f1"
 */
export function attachmentIdIn(address: string): string | undefined {
  return /^api\/debug\/attachments\/([\w.~-]{1,128})$/.exec(address)?.[1];
}

/* @__NO_SIDE_EFFECTS__ */
function ofThread(call: string) {
  return (threadId: string) => `api/debug/threads/${encodeURIComponent(threadId)}/${call}`;
}
