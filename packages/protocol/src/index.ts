/** The types of the protocol. Code is imported from its own path, such as `@nitka/protocol/apply-event`. */
export type { Attachment, AttachmentType } from "./attachment.ts";
export type { Problem, RunRequest, RunTrigger, Thread, ToolAnswer, UserMessage } from "./bodies.ts";
export type { AttachmentRules, Consent, ServerConfig } from "./config.ts";
export type { FeedbackRequest } from "./feedback-request.ts";
export type { FoundThread } from "./found-thread.ts";
export type { FailureCode, Feedback, Message, MessageStatus, Role, Suggestion } from "./message.ts";
export type { PageTool } from "./page-tool.ts";
export type { Part, PartType } from "./part.ts";
export type { StreamEvent, StreamEventType } from "./stream-event.ts";
