import { FileLostError } from "../../storage/storage.ts";
import type { ExportedAttachment, Owner, Storage } from "../../storage/storage.ts";
import { shownMessage } from "../tools/tool-views.ts";
import type { ToolViews } from "../tools/tool-views.ts";

export interface VisitorExportOptions {
  /** The project's views: hidden parts are not exported. */
  readonly toolViews?: ToolViews | undefined;
  /** Leaves out threads that were archived before this time. */
  readonly archivedSince?: string;
  /** Called for each file that is incomplete in the export, because its bytes are lost. */
  readonly onMissing?: (file: MissingFile) => void;
}

export interface MissingFile {
  readonly threadId: string;
  readonly attachment: ExportedAttachment["attachment"];
  /** Says which bytes are missing, and from which store. */
  readonly reason: string;
}

/**
 * Base64 turns every three bytes into four characters, so the encodings of pieces with a multiple of three bytes can be
 * joined.
 */
const GROUP_BYTES = 3;

/**
 * Everything that is stored about a visitor, including archived threads, as the text of one JSON document. It is read
 * piece by piece, so it may have any size:
 * `{ projectId, visitorId, threads: [{ …thread, messages, runs, approvals, attachments }], usage, consents }`. An
 * attachment's `data` is its bytes in base64. If bytes are lost, `data` has the bytes before them, and `missing` is
 * `true`.
 *
 * @example for await (const text of visitorExport(storage, owner)) stdout.write(text);
 */
export async function* visitorExport(
  storage: Storage,
  owner: Owner,
  { toolViews, archivedSince = "", onMissing }: VisitorExportOptions = {},
): AsyncGenerator<string> {
  const { projectId, visitorId } = owner;
  yield `{"projectId":${JSON.stringify(projectId)},"visitorId":${JSON.stringify(visitorId)},"threads":[`;
  let threads = 0;
  for await (const { thread, messages, runs, approvals, attachments } of storage.visitors.export(owner)) {
    if (thread.archivedAt !== undefined && thread.archivedAt < archivedSince) continue;
    yield `${threads === 0 ? "\n" : ",\n"}${open(thread)}"messages":[`;
    threads += 1;
    yield* listed(messages, (message) => [JSON.stringify(shownMessage(message, toolViews))]);
    yield `],"runs":[`;
    yield* listed(runs, (run) => [JSON.stringify(run)]);
    yield `],"approvals":[`;
    yield* listed(approvals, (approval) => [JSON.stringify(approval)]);
    yield `],"attachments":[`;
    yield* listed(attachments, async function* texts({ attachment, pieces }) {
      yield `${open(attachment)}"data":"`;
      const lost = yield* base64(pieces);
      yield lost ? `","missing":true}` : `"}`;
      if (lost) onMissing?.({ threadId: thread.threadId, attachment, reason: lost.message });
    });
    yield "]}";
  }
  yield `\n],"usage":${JSON.stringify(await storage.usage.ofVisitor(owner))},`;
  yield `"consents":${JSON.stringify(await storage.visitors.consents(owner))}}\n`;
}

async function* listed<T>(
  values: AsyncIterable<T>,
  texts: (value: T) => Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  let count = 0;
  for await (const value of values) {
    yield count === 0 ? "\n" : ",\n";
    count += 1;
    yield* texts(value);
  }
}

/** The JSON of an object without its closing brace, so that more members can follow. */
function open(value: object): string {
  return `${JSON.stringify(value).slice(0, -1)},`;
}

/** Returns the error if bytes are lost. */
async function* base64(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, FileLostError | undefined> {
  let rest = Buffer.alloc(0);
  let lost: FileLostError | undefined;
  try {
    for await (const piece of pieces) {
      const bytes = Buffer.concat([rest, piece]);
      const whole = bytes.length - (bytes.length % GROUP_BYTES);
      yield bytes.toString("base64", 0, whole);
      rest = bytes.subarray(whole);
    }
  } catch (error) {
    if (!(error instanceof FileLostError)) throw error;
    lost = error;
  }
  yield rest.toString("base64");
  return lost;
}
