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
  /** The message from which the shown branch is found. */
  readonly head_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly archived_at: string | null;
  /**
   * The thread's `updated_at` when the words in `thread_words` were stored; `null` when all of them must be stored
   * again.
   */
  readonly searched_at: Generated<string | null>;
  /** The thread's `head_id` at that time. A new question changes it even when a clock is behind. */
  readonly searched_head: Generated<string | null>;
}

/** The words of a thread, which `SqlDialect["wordIndex"]` searches. */
export interface ThreadWordsTable {
  /** The row's number; SQLite only. */
  readonly no: Generated<number>;
  readonly thread_id: string;
  /** The thread's `updated_at`. */
  readonly updated_at: string;
  /** The position of the last message whose words are stored. */
  readonly position: number;
}

export interface MessageTable {
  readonly thread_id: string;
  readonly id: string;
  /** Increases in each thread, so that parents come before their children. */
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
  /** The kind of the error, as a code for programs. */
  readonly code: string | null;
  readonly created_at: string | null;
  /** JSON: a list of suggestions. */
  readonly suggestions: string | null;
  /** The visitor's feedback on an answer. */
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
  /** The position of the answer: a later run of a question has a greater one. */
  readonly position: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly checkpoint_seq: number;
  /** 1 when a cancellation was requested. */
  readonly cancel_requested: number;
  /** `null` when the run's usage is not counted. */
  readonly model_id: string | null;
  /** The tokens that count as used while the run is running. */
  readonly reserved_tokens: number;
  /** `null` until the run ends, as are the next two columns. */
  readonly input_tokens: number | null;
  readonly cached_tokens: number | null;
  readonly output_tokens: number | null;
  /** Milliseconds from the question to the first text; `null` until the run ends, and for an answer without text. */
  readonly first_token_ms: number | null;
  /** The number of times a reader rejoined the run while it was being written; `null` until the run ends. */
  readonly rejoins: number | null;
  /** Copies of the answer's columns: the desk finds and counts runs by them without reading another table. */
  readonly reason: MessageTable["reason"];
  readonly rating: MessageTable["rating"];
  /** JSON: the webhooks to notify of the run's end; `null` for none. */
  readonly telling: string | null;
}

/** Columns that only SQL statements use. */
interface RunLogColumns {
  /** The slot that has the run's log. */
  readonly log_slot: number;
  /** Milliseconds of the database's clock. */
  readonly begun_ms: number;
  readonly ended_ms: number | null;
  /** 1 while the run has a log. SQLite only: Postgres drops logs slot by slot. */
  readonly logged: Generated<number>;
}

/** Consecutive events of a run, from `seq` to `last_seq`. */
export interface RunEventTable {
  /** The `log_slot` of the run. */
  readonly slot: number;
  readonly run_id: string;
  readonly seq: number;
  readonly last_seq: number;
  /** The JSON of the events, one event per line. */
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
  /** The message that it was sent with; `null` while unsent. */
  readonly message_id: string | null;
  readonly type: "image" | "document" | "file";
  readonly name: string;
  readonly content_type: string;
  readonly size: number;
  readonly url: string;
  readonly created_at: string;
  /** The `name` of the `FileStore` that has the bytes. */
  readonly store: string;
  /** 0 while its thread is archived: its bytes then count in no sum. */
  readonly counted: Generated<number>;
  /** The owner of the thread, for the triggers: the thread may be gone when they run. */
  readonly project_id: string;
  readonly visitor_id: string;
}

/** The bytes of a project's attachments. Triggers keep them up to date. */
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
  /** Spreads a key over several rows, so that answers that end together do not wait for one row. */
  readonly shard: number;
}

export interface VisitorUsageTable extends UsageCounts {
  readonly project_id: string;
  readonly visitor_id: string;
  readonly day: string;
  readonly model_id: string;
  readonly purpose: string;
}

/** A version of a project's `consent` that a visitor has accepted. */
interface VisitorConsentTable {
  readonly project_id: string;
  readonly visitor_id: string;
  readonly version: string;
  readonly at: string;
}

/** A tool call that waits or has waited for the visitor. */
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
  /** `null` while the call waits. */
  readonly decision: "approved" | "denied" | "output" | "failed" | "expired" | "cancelled" | null;
  /** JSON: the output, the error's text, or the reason of the denial. */
  readonly answer: string | null;
  /** `null` when the server decided. */
  readonly decided_by: string | null;
  readonly decided_at: string | null;
}

/** A question that the site's pages did not answer. */
export interface UnansweredTable {
  readonly id: string;
  readonly thread_id: string;
  /** The id of the answer. */
  readonly message_id: string;
  readonly project_id: string;
  readonly reason: "nothing_found" | "uncited" | "disliked";
  readonly question: string;
  /** JSON: a list of addresses with titles. */
  readonly passages: string;
  readonly comment: string | null;
  readonly at: string;
}

/** An event that a webhook has not received yet. */
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
  /** JSON: the event's fields besides the ids. */
  readonly fields: string;
  /** JSON: the texts that people wrote; `null` when the webhook does not get them, or when they were erased. */
  readonly texts: string | null;
  readonly attempts: Generated<number>;
  /** Milliseconds of the database's clock. */
  readonly stored_ms: number | string;
  readonly due_ms: number | string;
  /** The instance that is sending the event. */
  readonly claimed_by: string | null;
}

/** A budget of a UTC day whose exhaustion was reported. */
interface SpentBudgetTable {
  readonly project_id: string;
  /** Empty for the project's own budget. */
  readonly visitor_id: string;
  readonly day: string;
}

/** One row: the number of migrations that have run. */
interface SchemaVersionTable {
  readonly version: number;
}

/** A file without an attachment: it is being written, or waits for its deletion. */
export interface StrayFileTable {
  readonly file_id: string;
  readonly store: string;
  /** The current or former owner. */
  readonly project_id: string;
  readonly visitor_id: string;
  /** The bytes reserved for it; 0 once it is dropped. */
  readonly size: number;
  /** When its bytes may be deleted; empty for immediately. A claim postpones this time. */
  readonly due_at: string;
  /** 1 when the file is to be deleted and can no longer become an attachment. */
  readonly dropped: number;
}
