/** The server as a library: `createChatServer` and what it is made of. */
export type { ChatServerOptions } from "./options.ts";
export { ChatError } from "./chat-error.ts";
export type { ChatErrorCode } from "./chat-error.ts";
export type { Log, LogFields } from "./services/log.ts";
export { approveEntry } from "./services/approve-rule.ts";
export { defaultLimits } from "./services/project.ts";
export type { Limits, ModelPrice, Project } from "./services/project.ts";
export type { ToolView, ToolViews } from "./services/tool-views.ts";
export type { IdKind, NewId } from "./services/new-id.ts";
export type { Timings } from "./services/timings.ts";
export { ModelError } from "./model/model.ts";
export type {
  Model,
  ModelCall,
  ModelErrorCode,
  ModelRequest,
  ModelUsage,
  ReportUsage,
  TitleRequest,
  VisitorIdentity,
} from "./model/model.ts";
export type { Approval, Denied, PageOutcome, RunVisitor, ServerTool, VisitorCall } from "./model/run-visitor.ts";
export { SchemaVersionError } from "./storage/sql/migrations/migrate.ts";
export { StorageUnavailableError } from "./storage/storage.ts";
export type { Owner, Storage } from "./storage/storage.ts";
export type { UsageKey, UsageQuery, UsageSum } from "./storage/usage.ts";
export { visitorExport } from "./services/visitor-export.ts";
export { createAiSdkModel } from "./model/ai-sdk-model.ts";
export type { AiSdkModelOptions, ReasoningEffort } from "./model/ai-sdk-model.ts";
export type { OpenTools, ToolRun } from "./model/open-tools.ts";
export type { HostContent } from "./model/written-content.ts";
export type { Clock } from "./model/clock.ts";
export { withFallback } from "./model/fallback-model.ts";
export { createMcpTools } from "./model/mcp/mcp-tools.ts";
export type { McpServer } from "./model/mcp/mcp-connection.ts";
export type { McpTools, McpToolsOptions } from "./model/mcp/mcp-tools.ts";
export {
  createAnthropicModel,
  createGoogleModel,
  createOpenAiCompatibleModel,
  openAiBaseUrl,
} from "./model/provider-models.ts";
export type { ProviderModelOptions } from "./model/provider-models.ts";
export { createDesk } from "./create-desk.ts";
export type { Desk, DeskOptions } from "./create-desk.ts";
export { createChatServer } from "./create-chat-server.ts";
export type { ChatServer } from "./create-chat-server.ts";
export type { ClosePatience } from "./services/active-runs.ts";
export type { NodeBindings } from "./http/node-bindings.ts";
export type { FileStore } from "./storage/files/file-store.ts";
export { createFolderFiles } from "./storage/files/folder-files.ts";
export { createS3Files } from "./storage/files/s3-files.ts";
export type { S3FilesOptions } from "./storage/files/s3-files.ts";
export { migratePostgres, openPostgresStorage } from "./storage/postgres.ts";
export type { PostgresStorageOptions } from "./storage/postgres.ts";
export { copySqlite } from "./storage/sqlite-copy.ts";
export { migrateSqlite, openSqliteStorage } from "./storage/sqlite.ts";
export type { SqliteStorageOptions } from "./storage/sqlite.ts";
