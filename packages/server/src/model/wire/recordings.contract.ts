/** Reads the responses of servers from the files of `recordings/`. `docs/models.md` describes their format. */
import { readFileSync, readdirSync } from "node:fs";

const folder = new URL("../../../recordings/", import.meta.url);

export interface RecordedServer {
  readonly file: string;
  readonly name: string;
  readonly provider: "openai-compatible" | "anthropic" | "google";
  /** The kinds of files that it accepts besides text, according to its own documentation. */
  readonly reads: string;
  readonly recordings: readonly Recording[];
}

export interface Recording {
  readonly name: string;
  readonly body: string;
  readonly status: number;
  readonly type: string;
  readonly end: "close" | "break";
  /** Options of the model. */
  readonly options: object;
  readonly expected: Outcome;
}

/** What a visitor gets from a response. */
export interface Outcome {
  readonly text?: string;
  readonly reasoning?: string;
  /** The tool calls: a name and its arguments. */
  readonly calls?: readonly (readonly [string, unknown])[];
  /** The tokens sent and received; `null` when the server does not count them. */
  readonly usage: readonly [number, number] | null;
  /** `complete`, the reason why the answer was cut off, or the code of the error. */
  readonly end: string;
}

export function recordedServers(): readonly RecordedServer[] {
  return readdirSync(folder)
    .toSorted()
    .map((file) => serverOf(file, readFileSync(new URL(file, folder), "utf8")));
}

function serverOf(file: string, text: string): RecordedServer {
  const [head = "", ...sections] = text.split(/^== /m);
  const fieldOf = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(head)?.[1];
  const provider = fieldOf("model") as RecordedServer["provider"];
  if (!fieldOf("source")) throw new Error(`${file} names no source`);
  const lineEnd = fieldOf("lines") === "crlf" ? "\r\n" : "\n";
  const recordings = sections.map((section) => recordingOf(section, lineEnd));
  const name = head.split("\n", 1)[0]?.replace("# ", "") ?? file;
  return { file, name, provider, reads: fieldOf("reads") ?? "", recordings };
}

/** A section: its name and fields in one line, the body, and after `--` the expected outcome. */
function recordingOf(section: string, lineEnd: string): Recording {
  const title = section.split("\n", 1)[0] ?? "";
  const [name = "", fields = ""] = title.split(" | ");
  const bodyEnd = section.indexOf("\n-- ");
  const fieldOf = (field: string) => new RegExp(`\\b${field}=(\\S+)`).exec(fields)?.[1];
  return {
    name,
    body: section.slice(title.length + 1, bodyEnd + 1).replaceAll("\n", lineEnd),
    status: Number(fieldOf("status") ?? 200),
    type: fieldOf("type") ?? "text/event-stream",
    end: fieldOf("end") === "break" ? "break" : "close",
    options: JSON.parse(fieldOf("options") ?? "{}") as object,
    expected: JSON.parse(section.slice(bodyEnd + 4)) as Outcome,
  };
}
