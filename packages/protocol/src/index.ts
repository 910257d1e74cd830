/** The types of the wire. Code is imported by its own path, such as `@nitka/protocol/apply-event`. */
export type { Attachment, AttachmentType } from "./attachment.ts";
export type { AttachmentRules, ServerConfig } from "./config.ts";
export type { FailureCode, Message, MessageStatus, Role } from "./message.ts";
export type { Part, PartType } from "./part.ts";
export type { Problem } from "./problem.ts";
export type { RunRequest, RunTrigger, UserMessage } from "./run-request.ts";
export type { StreamEvent, StreamEventType } from "./stream-event.ts";
export type { Thread } from "./thread.ts";
