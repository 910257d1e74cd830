import type { Log, Storage } from "@nitka/server";
import type { DeskProjects } from "../desk-figures.ts";
import { jsonResponse, whoOf } from "./desk-call.ts";
import type { DeskRoute } from "./desk-call.ts";

const DAY_MS = 86_400_000;

/** The days whose questions are shown, and the most questions; the newest are kept. */
const DAYS = 30;
const MOST = 500;

/** What has been read of a project's pages. */
export interface KnowledgeFigures {
  readonly projectId: string;
  readonly sources: readonly { readonly source: string; readonly pages: number; readonly passages: number }[];
  readonly lastReading?: {
    /** An ISO time. */
    readonly endedAt: string;
    readonly failed: readonly { readonly url: string; readonly reason: string }[];
    readonly unread: readonly { readonly source: string; readonly reason: string }[];
  };
}

/** Returns the state of the projects' knowledge. */
export type ReadKnowledge = () => Promise<readonly KnowledgeFigures[]>;

export interface KnowledgeRouteOptions {
  readonly storage: Pick<Storage, "desk">;
  readonly projects: DeskProjects;
  readonly readKnowledge: ReadKnowledge;
  readonly clock: () => Date;
  readonly logger: Log;
}

/** The state of the sites' pages, and the questions that they did not answer. */
export function knowledgeRoute({
  storage: { desk },
  projects,
  readKnowledge,
  clock,
  logger,
}: KnowledgeRouteOptions): DeskRoute {
  return {
    path: "/knowledge",
    methods: {
      GET: async (call) => {
        const projectIds = Object.keys(projects);
        const from = new Date(clock().getTime() - DAYS * DAY_MS).toISOString();
        const [sites, unanswered] = await Promise.all([
          readKnowledge(),
          desk.unanswered({ projectIds, from, limit: MOST }),
        ]);
        logger.info(whoOf(call), "an operator read the unanswered questions");
        return jsonResponse({ sites, unanswered });
      },
    },
  };
}
