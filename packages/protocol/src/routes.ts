/**
 * Every path of the wire, relative to the api base (the config path: to the proxy URL). None begins with a slash, so
 * that each resolves beside its base.
 */
export const routes = {
  config: (projectId: string) => `api/projects/${encodeURIComponent(projectId)}/config`,
  threads: () => "api/debug/threads",
  messages: (threadId: string) => `${thread(threadId)}/messages`,
  rename: (threadId: string) => `${thread(threadId)}/rename`,
  archive: (threadId: string) => `${thread(threadId)}/archive`,
  run: (threadId: string) => `${thread(threadId)}/run/stream`,
  cancel: (threadId: string) => `${thread(threadId)}/run/cancel`,
  branch: (threadId: string) => `${thread(threadId)}/branch`,
  attachments: (threadId: string) => `${thread(threadId)}/attachments`,
  attachment: (attachmentId: string) => `api/debug/attachments/${encodeURIComponent(attachmentId)}`,
} as const;

function thread(threadId: string): string {
  return `api/debug/threads/${encodeURIComponent(threadId)}`;
}
