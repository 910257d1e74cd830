const THREADS = "api/debug/threads";

/**
 * The paths of the operations on threads, relative to the API base. They have no leading slash, so that they resolve
 * below a base that has a path.
 *
 * @example new URL(routes.messages("t1"), "https://a.example/chat/").pathname // "/chat/api/debug/threads/t1/messages"
 */
export const routes = {
  threads: () => THREADS,
  messages: ofThread("messages"),
  rename: ofThread("rename"),
  archive: ofThread("archive"),
  run: ofThread("run/stream"),
  cancel: ofThread("run/cancel"),
  branch: ofThread("branch"),
  toolAnswer: ofThread("run/tool"),
  feedback: (threadId: string, messageId: string) =>
    `${routes.messages(threadId)}/${encodeURIComponent(messageId)}/feedback`,
  attachments: ofThread("attachments"),
} as const;

/**
 * The path with which visitors erase themselves. It is a separate constant, so that a bundler drops it when nothing
 * uses it.
 */
export const visitorRoute = "api/debug/visitor";

/** The path with which an identified visitor takes over the threads of this browser's anonymous visitor. */
export const claimRoute = "api/debug/visitor/claim";

/** The path of the config, relative to the proxy URL. */
export function configRoute(projectId: string): string {
  return `api/projects/${encodeURIComponent(projectId)}/config`;
}

/** The address of an attachment on our server. Clients read it from the attachment's `url`. */
export function attachmentRoute(attachmentId: string): string {
  return `api/debug/attachments/${encodeURIComponent(attachmentId)}`;
}

/**
 * The id in an address that `attachmentRoute` has made; `undefined` for every other address.
 *
 * @example attachmentIdIn("api/debug/attachments/f1") // "f1"
 */
export function attachmentIdIn(address: string): string | undefined {
  return /^api\/debug\/attachments\/([\w.~-]{1,128})$/.exec(address)?.[1];
}

/* @__NO_SIDE_EFFECTS__ */
function ofThread(operation: string) {
  return (threadId: string) => `${THREADS}/${encodeURIComponent(threadId)}/${operation}`;
}
