import type { MessageNode } from "../../storage/storage.ts";

/** The most that one read of the database returns, so that other requests are served in between. */
const PAGE_BYTES = 256_000;
const PAGE_MESSAGES = 100;

/** Whether a message is larger than a page, and therefore has a page of its own. */
export function isLarge({ bytes }: MessageNode): boolean {
  return bytes > PAGE_BYTES;
}

/**
 * The ids of messages in pages of bounded size, in the given order. A message larger than a page has a page of its own.
 */
export function* messagePages(nodes: Iterable<MessageNode>): Generator<readonly string[]> {
  let page: string[] = [];
  let bytes = 0;
  for (const node of nodes) {
    if (page.length > 0 && (page.length === PAGE_MESSAGES || bytes + node.bytes > PAGE_BYTES)) {
      yield page;
      page = [];
      bytes = 0;
    }
    page.push(node.id);
    bytes += node.bytes;
  }
  if (page.length > 0) yield page;
}
