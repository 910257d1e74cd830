/**
 * Exports for `@nitka/desk`: the server's HTTP code, and the functions that reconstruct what a visitor saw from a
 * stored answer. The names may change in any version.
 */
export { createClientNetworks } from "./http/client-address.ts";
export { problemResponse } from "./http/error-response.ts";
export { createForwarded } from "./http/forwarded.ts";
export type { Forwarded } from "./http/forwarded.ts";
export { piecesResponse } from "./http/pieces-response.ts";
export { createRateLimiter } from "./http/rate-limit.ts";
export type { RateLimiter } from "./http/rate-limit.ts";
export { readBody } from "./http/read-body.ts";
export { readJson } from "./http/read-json.ts";
export { safetyHeaders } from "./http/safety-headers.ts";
export { createSigner } from "./http/signature.ts";
export { sseResponse } from "./http/sse-response.ts";
export { cookieValues } from "./http/visitor-cookie.ts";
export { attachmentHeaders } from "./routes/attachments.ts";
export { matchSegments, pathPattern, segmentsOf } from "./routes/match-path.ts";
export type { PathParams } from "./routes/match-path.ts";
export { createByteBudget } from "./services/files/byte-budget.ts";
export type { ByteBudget } from "./services/files/byte-budget.ts";
export { describeError } from "./services/describe-error.ts";
export { createEventLoopTurns } from "./event-loop-turns.ts";
export type { FrameSink } from "./services/runs/frame-sink.ts";
export { consoleLog } from "./services/console-log.ts";
export { silentLog } from "./services/log.ts";
export { newRandomId } from "./services/new-id.ts";
export { MIN_SECRET_CHARS } from "./services/projects/ready-projects.ts";
export { endOf, replay } from "./services/runs/replay.ts";
export { notFound, unprocessable } from "./chat-error.ts";
export { threadText, withFirstPiece } from "./services/threads/thread-text.ts";
export { defaultTimings } from "./services/timings.ts";
export { shownEvents, shownMessage } from "./services/tools/tool-views.ts";
export type { MessageNode, Pieces } from "./storage/storage.ts";
