/**
 * Every path that is called, relative to the api base (the config path: to the proxy URL). None begins with a slash, so
 * that each resolves beside its base.
 */
export const routes = {
  config: (projectId: string) => `api/projects/${encodeURIComponent(projectId)}/config`,
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

/** Where an attachment lies: only the server says so, in what it answers. */
export function attachmentRoute(attachmentId: string): string {
  return `api/debug/attachments/${encodeURIComponent(attachmentId)}`;
}

function ofThread(call: string) {
  return (threadId: string) => `api/debug/threads/${encodeURIComponent(threadId)}/${call}`;
}
