import type { Generated } from "kysely";
import type { WebhookType } from "../webhooks.ts";

/** The tables of both databases. Times are ISO 8601 in UTC, so that they sort as text. */
export interface Schema {
  readonly thread: ThreadTable;
  readonly thread_words: ThreadWordsTable;
  readonly message: MessageTable;
  readonly run: RunTable & RunLogColumns;
  readonly run_event: RunEventTable;
  readonly instance: InstanceTable;
  readonly attachment: AttachmentTable;
  readonly project_usage: ProjectUsageTable;
  readonly visitor_usage: VisitorUsageTable;
  readonly visitor_consent: VisitorConsentTable;
  readonly file_chunk: FileChunkTable;
  readonly stray_file: StrayFileTable;
  readonly project_storage: ProjectStorageTable;
  readonly awaited_call: AwaitedCallTable;
  readonly unanswered: UnansweredTable;
  readonly webhook_event: WebhookEventTable;
  readonly spent_budget: SpentBudgetTable;
  readonly schema_version: SchemaVersionTable;
}

export interface ThreadTable {
  readonly thread_id: string;
  readonly project_id: string;
  readonly visitor_id: string;
  readonly title: string | null;
  readonly titled_by: "visitor" | "model" | null;
  /** The message that the branch to show is found by. */
  readonly head_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly archived_at: string | null;
  /** `updated_at` when the words of `thread_words` were stored; `null` while they have to be stored from the beginning. */
  readonly searched_at: Generated<string | null>;
  /** `head_id` at that time: another question changes it, also by a clock that is behind. */
  readonly searched_head: Generated<string | null>;
}

/** The words of a thread, which `SqlDialect["wordIndex"]` finds it by. */
export interface ThreadWordsTable {
  /** SQLite only. */
  readonly no: Generated<number>;
  readonly thread_id: string;
  /** The thread's. */
  readonly updated_at: string;
  /** That of the last message whose words they are. */
  readonly position: number;
}

export interface MessageTable {
  readonly thread_id: string;
  readonly id: string;
  /** Counts up in each thread, so that parents come before their children. */
  readonly position: number;
  readonly parent_id: string | null;
  readonly role: "user" | "assistant" | "system";
  /** JSON: a string or a list of parts. */
  readonly content: string;
  /** JSON: a list of attachments. */
  readonly attachments: string | null;
  readonly status: "running" | "complete" | "incomplete" | null;
  readonly reason: string | null;
  readonly error: string | null;
  /** The kind of the error, for programs. */
  readonly code: string | null;
  readonly created_at: string | null;
  /** JSON: a list of suggestions. */
  readonly suggestions: string | null;
  /** What the visitor thinks of an answer. */
  readonly rating: "up" | "down" | null;
  readonly rating_reason: string | null;
}

export interface RunTable {
  readonly run_id: string;
  readonly thread_id: string;
  readonly project_id: string;
  readonly visitor_id: string;
  readonly question_id: string;
  readonly answer_id: string;
  readonly instance_id: string;
  readonly status: "running" | "complete" | "incomplete";
  /** The answer's position: a later run of a question has a greater one. */
  readonly position: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly checkpoint_seq: number;
  /** 1 once its cancellation was requested. */
  readonly cancel_requested: number;
  /** `null` where nobody counts what it uses. */
  readonly model_id: string | null;
  /** Tokens that count as used while it is running. */
  readonly reserved_tokens: number;
  /** `null` until its end, as the next two are. */
  readonly input_tokens: number | null;
  readonly cached_tokens: number | null;
  readonly output_tokens: number | null;
  /** Milliseconds from the question to the first text; `null` until its end, and where there was none. */
  readonly first_token_ms: number | null;
  /** How often a reader joined it while it was written; `null` until its end. */
  readonly rejoins: number | null;
  /** Its answer's, once more: the desk finds and counts runs by them, and reads no other table for that. */
  readonly reason: MessageTable["reason"];
  readonly rating: MessageTable["rating"];
  /** JSON: the webhooks that hear of its end; `null` for none. */
  readonly telling: string | null;
}

/** Columns that only SQL reads. */
interface RunLogColumns {
  /** The slot of its log. */
  readonly log_slot: number;
  /** Milliseconds of the database's clock. */
  readonly begun_ms: number;
  readonly ended_ms: number | null;
  /** 1 while it has a log. SQLite only: on Postgres logs are dropped a slot at a time. */
  readonly logged: Generated<number>;
}

/** Consecutive events of a run: those from `seq` to `last_seq`. */
export interface RunEventTable {
  /** The run's. */
  readonly slot: number;
  readonly run_id: string;
  readonly seq: number;
  readonly last_seq: number;
  /** The JSON of each event in a line. */
  readonly data: string;
}

export interface InstanceTable {
  readonly instance_id: string;
  /** Milliseconds of the database's clock. */
  readonly seen_ms: number;
}

export interface AttachmentTable {
  readonly attachment_id: string;
  readonly thread_id: string;
  /** The message that it was sent with. */
  readonly message_id: string | null;
  readonly type: "image" | "document" | "file";
  readonly name: string;
  readonly content_type: string;
  readonly size: number;
  readonly url: string;
  readonly created_at: string;
  /** The `name` of the `FileStore` that has its bytes. */
  readonly store: string;
  /** 0 while its thread is archived: its bytes are in no sum. */
  readonly counted: Generated<number>;
  /** The owner of its thread, for the triggers: they run when the thread may be gone. */
  readonly project_id: string;
  readonly visitor_id: string;
}

/** The bytes of a project's attachments, kept up to date by triggers. */
export interface ProjectStorageTable {
  readonly project_id: string;
  /** Postgres returns large numbers as text. */
  readonly bytes: number | string;
}

export interface FileChunkTable {
  readonly file_id: string;
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** Tokens of a UTC day. Postgres returns large numbers as text. */
interface UsageCounts {
  readonly calls: number | string;
  readonly estimated_calls: number | string;
  readonly input_tokens: number | string;
  readonly cached_tokens: number | string;
  readonly output_tokens: number | string;
}

export interface ProjectUsageTable extends UsageCounts {
  readonly project_id: string;
  readonly day: string;
  readonly model_id: string;
  readonly purpose: string;
  /** One of several rows of the same key, so that answers that end together do not wait for one row. */
  readonly shard: number;
}

export interface VisitorUsageTable extends UsageCounts {
  readonly project_id: string;
  readonly visitor_id: string;
  readonly day: string;
  readonly model_id: string;
  readonly purpose: string;
}

/** A version of a project's `consent` that a visitor has agreed to. */
interface VisitorConsentTable {
  readonly project_id: string;
  readonly visitor_id: string;
  readonly version: string;
  readonly at: string;
}

/** A tool call that waits for the visitor, or did. */
export interface AwaitedCallTable {
  readonly run_id: string;
  readonly tool_call_id: string;
  readonly tool_name: string;
  readonly kind: "approval" | "page";
  readonly asked_at: string;
  /** The id of the page that runs the tool. */
  readonly claimed_by: string | null;
  /** The visitor who has allowed the page's tool, and when. */
  readonly allowed_by: string | null;
  readonly allowed_at: string | null;
  /** `null` while it waits. */
  readonly decision: "approved" | "denied" | "output" | "failed" | "expired" | "cancelled" | null;
  /** JSON: the output, the error's text, or the reason. */
  readonly answer: string | null;
  /** `null` where the server has decided. */
  readonly decided_by: string | null;
  readonly decided_at: string | null;
}

/** A question that the site's pages did not answer. */
export interface UnansweredTable {
  readonly id: string;
  readonly thread_id: string;
  /** The answer's. */
  readonly message_id: string;
  readonly project_id: string;
  readonly reason: "nothing_found" | "uncited" | "disliked";
  readonly question: string;
  /** JSON: a list of addresses with titles. */
  readonly passages: string;
  readonly comment: string | null;
  readonly at: string;
}

/** Something that a webhook is still to be told. */
export interface WebhookEventTable {
  /** Postgres returns large numbers as text. */
  readonly position: Generated<number | string>;
  readonly id: Generated<string>;
  readonly project_id: string;
  readonly url: string;
  readonly type: WebhookType;
  readonly at: string;
  readonly visitor_id: string | null;
  readonly thread_id: string | null;
  readonly message_id: string | null;
  readonly tool_call_id: string | null;
  /** JSON: fields beside the ids. */
  readonly fields: string;
  /** JSON: what people have said; `null` where it is not told, or was erased. */
  readonly texts: string | null;
  readonly attempts: Generated<number>;
  /** Milliseconds of the database's clock. */
  readonly stored_ms: number | string;
  readonly due_ms: number | string;
  /** The instance that sends it. */
  readonly claimed_by: string | null;
}

/** A budget of a UTC day whose end was told. */
interface SpentBudgetTable {
  readonly project_id: string;
  /** Empty for the project's own. */
  readonly visitor_id: string;
  readonly day: string;
}

/** One row: how many migrations have run. */
interface SchemaVersionTable {
  readonly version: number;
}

/** A file without an attachment: it is being written, or is to be deleted. */
export interface StrayFileTable {
  readonly file_id: string;
  readonly store: string;
  /** Whose it is, or was. */
  readonly project_id: string;
  readonly visitor_id: string;
  /** Bytes that are reserved for it; 0 once it is dropped. */
  readonly size: number;
  /** When its bytes may be deleted; empty for at once. Claiming it puts this off. */
  readonly due_at: string;
  /** 1 when it is to be deleted, and cannot become an attachment any more. */
  readonly dropped: number;
}
