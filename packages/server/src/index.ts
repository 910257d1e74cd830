/**
 * The server as a library: `createChatServer` and the parts that it needs. Storages, stores of files, models and tools
 * of MCP servers have entries of their own, because each loads packages that other servers do not need.
 */
export type { ChatServerOptions } from "./options.ts";
export { ChatError } from "./chat-error.ts";
export type { ChatErrorCode } from "./chat-error.ts";
export type { Admit, AdmitContext, AdmitRefusal, Identify, IdentifiedVisitor } from "./http/host-checks.ts";
export { describeError } from "./services/describe-error.ts";
export type { ErrorDescription } from "./services/describe-error.ts";
export type { Log, LogFields } from "./services/log.ts";
export { approveEntry } from "./services/tools/approve-rule.ts";
export { toolEntryWarnings } from "./services/tools/entry-warnings.ts";
export type { ListedServers } from "./services/tools/entry-warnings.ts";
export { costOf, defaultLimits } from "./services/projects/project.ts";
export type { Limits, ModelPrice, Project, ProjectConfig } from "./services/projects/project.ts";
export type { ToolView, ToolViews } from "./services/tools/tool-views.ts";
export { isWebhookSecret, isWebhookUrl, WEBHOOK_SECRET, WEBHOOK_URL } from "./services/webhooks/webhook.ts";
export type { Webhook } from "./services/webhooks/webhook.ts";
export { erasureTelling } from "./services/webhooks/telling.ts";
export { WEBHOOK_TYPES } from "./storage/webhooks.ts";
export type { WebhookType } from "./storage/webhooks.ts";
export type { IdKind, NewId } from "./services/new-id.ts";
export type { Timings } from "./services/timings.ts";
export type { Knowledge, Passage, SearchOptions } from "./knowledge.ts";
export { ModelError } from "./model/model.ts";
export type {
  Model,
  ModelCall,
  ModelErrorCode,
  ModelRequest,
  ModelEnd,
  ModelUsage,
  ReportUsage,
  TitleRequest,
  VisitorIdentity,
} from "./model/model.ts";
export type { Approval, Denied, PageOutcome, RunVisitor, ServerTool, VisitorCall } from "./model/run-visitor.ts";
export { FileLostError, FileRefusedError, SchemaVersionError, StorageUnavailableError } from "./storage/storage.ts";
export type { Owner, Storage, Tokens } from "./storage/storage.ts";
export type { DeskDay, DeskRun, DeskRunQuery, DeskSpan, DeskStorage } from "./storage/desk.ts";
export type { Unanswered, UnansweredQuery, UnansweredReason } from "./storage/unanswered.ts";
export type { UsageKey, UsageQuery, UsageSum } from "./storage/usage.ts";
export { visitorExport } from "./services/threads/visitor-export.ts";
export type { MissingFile, VisitorExportOptions } from "./services/threads/visitor-export.ts";
export { withFallback } from "./model/fallback-model.ts";
export { createChatServer } from "./create-chat-server.ts";
export type { ChatServer } from "./create-chat-server.ts";
export type { ClosePatience } from "./services/runs/active-runs.ts";
export type { NodeBindings } from "./http/node-bindings.ts";
export type { FileStore } from "./storage/files/file-store.ts";
