import { z } from "zod";
import { ChatError } from "@nitka/server";
import type { Log } from "@nitka/server";
import type { DeskFigures, DeskProjects } from "../desk-figures.ts";
import type { DayFigures, ProjectFigures } from "../run-figures.ts";
import { mimeEssence } from "@nitka/protocol/mime-type";
import { describeError, piecesResponse, safetyHeaders, unprocessable, withFirstPiece } from "@nitka/server/desk-kit";
import { csvHead, csvLines, dayColumns, runColumns } from "../csv.ts";
import { jsonResponse, whoOf } from "./desk-call.ts";
import type { DeskCall, DeskRoute } from "./desk-call.ts";

const PAGE = 50;

/** The number of runs that a CSV export reads at once. */
const CSV_PAGE = 500;

const DAY_MS = 24 * 3_600_000;

/** The number of days that the desk shows by default. */
const USUAL_DAYS = 14;

/** More days would read too much of a large database at once. */
const MAX_DAYS = 92;

const span = {
  format: z.enum(["json", "csv"]).optional(),
  project: z.string().max(64).optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
};

const spanQuery = z.object(span);

const runsQuery = z.object({
  ...span,
  status: z.enum(["running", "complete", "length", "content-filter", "cancelled", "error", "interrupted"]).optional(),
  rating: z.enum(["up", "down", "any"]).optional(),
  after: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z~[\w.~-]{1,128}$/)
    .optional(),
});

export interface FiguresOptions {
  readonly figures: DeskFigures;
  readonly projects: DeskProjects;
  readonly clock: () => Date;
  readonly logger: Log;
  readonly slowReaderMs: number;
}

/** The figures of runs and days, as JSON or as tables for spreadsheets. */
export function figuresRoutes({
  figures,
  projects,
  clock,
  logger,
  slowReaderMs,
}: FiguresOptions): readonly DeskRoute[] {
  function spanOf({ project, from, to }: z.output<typeof spanQuery>) {
    if (project !== undefined && !Object.hasOwn(projects, project)) {
      throw unprocessable(
        `project is ${JSON.stringify(project)}: expected one of ${Object.keys(projects).join(", ")}.`,
      );
    }
    const last = to ?? dayOf(clock());
    const first = from ?? dayOf(new Date(startOf(last) - (USUAL_DAYS - 1) * DAY_MS));
    const days = (startOf(last) - startOf(first)) / DAY_MS + 1;
    if (days < 1) throw unprocessable(`from is ${first}: expected a day that is not after ${last}.`);
    if (days > MAX_DAYS) throw unprocessable(`The span has ${days} days: expected at most ${MAX_DAYS}.`);
    return {
      projectIds: project === undefined ? Object.keys(projects) : [project],
      from: new Date(startOf(first)).toISOString(),
      to: new Date(startOf(last) + DAY_MS).toISOString(),
    };
  }

  async function csvResponse(call: DeskCall, name: string, pieces: AsyncGenerator<string>): Promise<Response> {
    const { bindings, requestId } = call;
    const headers = {
      ...safetyHeaders,
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.csv"`,
    };
    return piecesResponse(bindings, { status: 200, headers }, await withFirstPiece(pieces), {
      slowReaderMs,
      onError: (error) =>
        logger.error({ requestId, error: describeError(error) }, "a table could not be sent to the desk"),
    });
  }

  /** All runs of a query, page after page. */
  async function* runLines(query: Omit<Parameters<DeskFigures["runs"]>[0], "limit">): AsyncGenerator<string> {
    yield csvHead(runColumns);
    let { after } = query;
    do {
      const { runs, next } = await figures.runs({ ...query, after, limit: CSV_PAGE });
      yield csvLines(runColumns, runs);
      after = next;
    } while (after !== undefined);
  }

  return [
    {
      path: "/projects",
      methods: {
        GET: async () =>
          jsonResponse(
            Object.entries(projects).map(([id, { config, prices }]): ProjectFigures => {
              const { title } = config ?? {};
              return { id, title, hasPrices: prices !== undefined };
            }),
          ),
      },
    },
    {
      path: "/runs",
      methods: {
        async GET(call) {
          const { status, rating, after, format, ...rest } = read(runsQuery, call.url);
          const query = { ...spanOf(rest), status, rating, after };
          const isCsv = wantsCsv(call.request, format);
          // The list contains titles and visitors' feedback.
          logger.info(
            { ...whoOf(call), projects: query.projectIds, from: query.from, to: query.to },
            isCsv ? "an operator exported the list of answers" : "an operator read the list of answers",
          );
          if (isCsv) return csvResponse(call, "runs", runLines(query));
          return jsonResponse(await figures.runs({ ...query, limit: PAGE }));
        },
      },
    },
    {
      path: "/runs/:run",
      methods: {
        async GET(call) {
          const run = await figures.run(call.params["run"] ?? "");
          if (!run || !Object.hasOwn(projects, run.projectId))
            throw new ChatError("not_found", "There is no such run.");
          const { projectId, threadId, runId } = run;
          logger.info({ ...whoOf(call), projectId, threadId, runId }, "an operator looked at an answer's figures");
          return jsonResponse(run);
        },
      },
    },
    {
      path: "/days",
      methods: {
        async GET(call) {
          const { format, ...rest } = read(spanQuery, call.url);
          const days = await figures.days(spanOf(rest));
          if (!wantsCsv(call.request, format)) return jsonResponse(days);
          return csvResponse(call, "days", dayLines(days));
        },
      },
    },
  ];
}

async function* dayLines(days: readonly DayFigures[]): AsyncGenerator<string> {
  yield csvHead(dayColumns) + csvLines(dayColumns, days);
}

/** Whether a CSV table is requested: by `format`, otherwise by the request's preferred type. */
function wantsCsv(request: Request, format: "json" | "csv" | undefined): boolean {
  if (format !== undefined) return format === "csv";
  const accepted = (request.headers.get("accept") ?? "").split(",").map(mimeEssence);
  return accepted.find((type) => type === "text/csv" || type === "application/json") === "text/csv";
}

/** The query of an address. An empty field counts as absent, because a form sends it. */
function read<Query>(schema: z.ZodType<Query>, { searchParams }: URL): Query {
  const given = Object.fromEntries([...searchParams].filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0]);
  throw unprocessable(`${name} is ${JSON.stringify(given[name])}: ${issue?.message ?? "it is not valid"}.`);
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** The first moment of a UTC day. */
function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}
