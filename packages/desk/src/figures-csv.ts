/** The desk's figures as tables for spreadsheets. */
import type { CsvColumns } from "./csv.ts";
import type { DayFigures, RunFigures } from "./run-figures.ts";

export const runColumns: CsvColumns<RunFigures> = {
  startedAt: ({ startedAt }) => startedAt,
  runId: ({ runId }) => runId,
  projectId: ({ projectId }) => projectId,
  visitorId: ({ visitorId }) => visitorId,
  threadId: ({ threadId }) => threadId,
  answerId: ({ answerId }) => answerId,
  title: ({ title }) => title,
  status: ({ status }) => status.type,
  reason: ({ status }) => status.reason,
  code: ({ status }) => status.code,
  durationMs: ({ durationMs }) => durationMs,
  firstTokenMs: ({ firstTokenMs }) => firstTokenMs,
  rejoins: ({ rejoins }) => rejoins,
  modelId: ({ modelId }) => modelId,
  inputTokens: ({ tokens }) => tokens?.inputTokens,
  cachedInputTokens: ({ tokens }) => tokens?.cachedInputTokens,
  outputTokens: ({ tokens }) => tokens?.outputTokens,
  cost: ({ cost }) => cost?.amount,
  currency: ({ cost }) => cost?.currency,
  rating: ({ feedback }) => feedback?.rating,
  feedback: ({ feedback }) => feedback?.reason,
};

export const dayColumns: CsvColumns<DayFigures> = {
  day: ({ day }) => day,
  projectId: ({ projectId }) => projectId,
  runs: ({ runs }) => runs,
  errors: ({ errors }) => errors,
  cancelled: ({ cancelled }) => cancelled,
  interrupted: ({ interrupted }) => interrupted,
  firstTokenMs: ({ firstTokenMs }) => firstTokenMs,
  inputTokens: ({ inputTokens }) => inputTokens,
  cachedInputTokens: ({ cachedInputTokens }) => cachedInputTokens,
  outputTokens: ({ outputTokens }) => outputTokens,
  cost: ({ cost }) => cost?.amount,
  currency: ({ cost }) => cost?.currency,
  unpriced: ({ cost }) => cost?.unpriced?.join(" "),
  rejoins: ({ rejoins }) => rejoins,
  up: ({ up }) => up,
  down: ({ down }) => down,
};
