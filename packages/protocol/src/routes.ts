/**
 * The paths of all operations, relative to the api base (`config`: to the proxy URL). They have no leading slash, so that
 * a base with a path keeps its path when they are resolved against it.
 *
 * @example new URL(routes.messages("t1"), "https://a.example/chat/").pathname // "/chat/api/debug/threads/t1/messages"
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
  toolAnswer: ofThread("run/tool"),
  feedback: (threadId: string, messageId: string) =>
    `api/debug/threads/${encodeURIComponent(threadId)}/messages/${encodeURIComponent(messageId)}/feedback`,
  attachments: ofThread("attachments"),
  visitor: () => "api/debug/visitor",
  claim: () => "api/debug/visitor/claim",
} as const;

/** The path of the config, for code that needs no other path: a bundler then drops the rest. */
export function configRoute(projectId: string): string {
  return `api/projects/${encodeURIComponent(projectId)}/config`;
}

/** The address of an attachment on our server. Clients read it from the attachment's `url`. */
export function attachmentRoute(attachmentId: string): string {
  return `api/debug/attachments/${encodeURIComponent(attachmentId)}`;
}

/**
 * The id in an address that `attachmentRoute` made; `undefined` for every other address.
 *
 * @example attachmentIdIn("api/debug/attachments/f1") // "f1"
 */
export function attachmentIdIn(address: string): string | undefined {
  return /^api\/debug\/attachments\/([\w.~-]{1,128})$/.exec(address)?.[1];
}

/* @__NO_SIDE_EFFECTS__ */
function ofThread(operation: string) {
  return (threadId: string) => `api/debug/threads/${encodeURIComponent(threadId)}/${operation}`;
}
