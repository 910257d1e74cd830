import { z } from "zod";
import { ChatError } from "@nitka/server";
import type { DeskFigures, DeskProjects } from "../desk-figures.ts";
import type { ProjectFigures } from "../run-figures.ts";
import { jsonResponse } from "./desk-call.ts";
import type { DeskRoute } from "./desk-call.ts";

const PAGE = 50;

const DAY_MS = 24 * 3_600_000;

/** Days that the desk shows when nobody names others. */
const USUAL_DAYS = 14;

/** More days would read too much of a large database at once. */
const MAX_DAYS = 92;

const span = {
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

/** The figures of runs and days. */
export function figuresRoutes(figures: DeskFigures, projects: DeskProjects, clock: () => Date): readonly DeskRoute[] {
  function spanOf({ project, from, to }: z.output<typeof spanQuery>) {
    if (project !== undefined && !Object.hasOwn(projects, project)) {
      throw new ChatError(
        "unprocessable",
        `project is ${JSON.stringify(project)}: expected one of ${Object.keys(projects).join(", ")}.`,
      );
    }
    const last = to ?? dayOf(clock());
    const first = from ?? dayOf(new Date(startOf(last) - (USUAL_DAYS - 1) * DAY_MS));
    const days = (startOf(last) - startOf(first)) / DAY_MS + 1;
    if (days < 1) throw new ChatError("unprocessable", `from is ${first}: expected a day that is not after ${last}.`);
    if (days > MAX_DAYS)
      throw new ChatError("unprocessable", `The span has ${days} days: expected at most ${MAX_DAYS}.`);
    return {
      projectIds: project === undefined ? Object.keys(projects) : [project],
      from: new Date(startOf(first)).toISOString(),
      to: new Date(startOf(last) + DAY_MS).toISOString(),
    };
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
        async GET({ url }) {
          const { status, rating, after, ...rest } = read(runsQuery, url);
          return jsonResponse(await figures.runs({ ...spanOf(rest), status, rating, after, limit: PAGE }));
        },
      },
    },
    {
      path: "/runs/:run",
      methods: {
        async GET({ params }) {
          const run = await figures.run(params["run"] ?? "");
          if (!run || !Object.hasOwn(projects, run.projectId))
            throw new ChatError("not_found", "There is no such run.");
          return jsonResponse(run);
        },
      },
    },
    {
      path: "/days",
      methods: {
        GET: async ({ url }) => jsonResponse(await figures.days(spanOf(read(spanQuery, url)))),
      },
    },
  ];
}

/** The query of an address. An empty field counts as absent, as a form sends it. */
function read<Query>(schema: z.ZodType<Query>, { searchParams }: URL): Query {
  const given = Object.fromEntries([...searchParams].filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0]);
  throw new ChatError(
    "unprocessable",
    `${name} is ${JSON.stringify(given[name])}: ${issue?.message ?? "it is not valid"}.`,
  );
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** The first moment of a UTC day. */
function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}
