import type { DayFigures, RunFigures } from "./run-figures.ts";

/** Tables for spreadsheets, in the format of RFC 4180. */

/** The columns: each name with the function that returns a row's cell. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => string | number | undefined>>;

/** Marks the text as UTF-8 for spreadsheets. Without it, Excel garbles Cyrillic. */
const BYTE_ORDER_MARK = "\uFEFF";

/** The first line, with the names of the columns. */
export function csvHead(columns: CsvColumns<never>): string {
  return BYTE_ORDER_MARK + csvLine(Object.keys(columns));
}

/** The lines of some rows. */
export function csvLines<Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string {
  return rows.map((row) => csvLine(Object.values(columns).map((cell) => cell(row)))).join("");
}

function csvLine(cells: readonly (string | number | undefined)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/**
 * A cell. Spreadsheets treat a text as a formula if it begins with one of some signs. An apostrophe before it prevents
 * that: visitors write the texts that operators open.
 *
 * @example csvCell('=HYPERLINK("https://evil.example")') // '"\'=HYPERLINK(""https://evil.example"")"'
 */
function csvCell(value: string | number | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = /^\s*[=+\-@＝＋－＠\t\r\n]/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

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
