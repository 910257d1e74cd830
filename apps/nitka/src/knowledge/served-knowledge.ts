import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { KnowledgeStore } from "@nitka/knowledge";
import type { Knowledge, Log } from "@nitka/server";
import { everyMs } from "../config/knowledge-fields.ts";
import { openKnowledge } from "./open-knowledge.ts";
import { knowledgeState } from "./knowledge-state.ts";
import type { KnowledgeState } from "./knowledge-state.ts";
import { searchIn } from "./project-knowledge.ts";
import type { KnowledgeOf } from "./project-knowledge.ts";
import type { Settings } from "../read-settings.ts";

/** How often it is looked whether a reading is due. */
const LOOK_MS = 60_000;

/** A reading that has failed is not tried again before this time, or before its usual one where that is sooner. */
const RETRY_MS = 900_000;

/** How long a reading may take to stop. */
const STOP_MS = 3000;

/** With these, the worst pages take 300 MB at the most. */
const SMALL_HEAP = ["--max-old-space-size=100", "--max-semi-space-size=8"];

export interface ServedKnowledge {
  /** The search of a project's pages. Nothing is opened before the first question. */
  readonly of: KnowledgeOf;
  /** What has been read of these projects' pages. */
  readonly states: (projects: Settings["projects"]) => Promise<readonly KnowledgeState[]>;
  /** Reads the pages of each project with `every` when it is due, until `stop`. */
  readonly startReadings: (projects: () => Settings["projects"]) => void;
  readonly stop: () => Promise<void>;
}

export interface ServedKnowledgeOptions {
  readonly settings: Settings;
  /** The environment of the process that reads. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly clock: () => Date;
}

/** The pages that the program's projects know, while it serves. */
export function createServedKnowledge({ settings, env, log, clock }: ServedKnowledgeOptions): ServedKnowledge {
  let opened: Promise<KnowledgeStore> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let reading: Promise<void> = Promise.resolve();
  let endReading = () => {};
  const triedAt = new Map<string, number>();

  const store = () => {
    opened ??= openKnowledge(settings);
    // A database that was away is asked again by the next search.
    opened.catch(() => (opened = undefined));
    return opened;
  };

  async function isDue(projectId: string, interval: number): Promise<boolean> {
    const now = clock().getTime();
    const tried = triedAt.get(projectId) ?? Number.NEGATIVE_INFINITY;
    if (now - tried < Math.min(interval, RETRY_MS)) return false;
    const last = await (await store()).lastReading(projectId);
    return !last || now - last.endedAt >= interval;
  }

  async function readDue(projects: Settings["projects"]): Promise<void> {
    for (const [projectId, { knowledge }] of Object.entries(projects)) {
      if (isStopped) return;
      if (knowledge?.every === undefined) continue;
      try {
        if (!(await isDue(projectId, everyMs(knowledge.every)))) continue;
        triedAt.set(projectId, clock().getTime());
        log.info({ project: projectId, ...(await readApart(projectId)) }, "the pages have been read");
      } catch (error) {
        if (!isStopped) log.warn({ project: projectId, error: String(error) }, "the pages could not be read");
      }
    }
  }

  /** Reads in a process of its own: parsing pages takes processor time and memory that answers need. */
  function readApart(projectId: string): Promise<Readonly<Record<string, unknown>>> {
    const main = fileURLToPath(import.meta.resolve("#main"));
    const child = spawn(process.execPath, [...SMALL_HEAP, main, "ingest", "--project", projectId, "--json"], {
      env: { ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    // Answers come first.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    // Asked to stop it lets others read at once. A page that takes long to parse keeps it from hearing that.
    endReading = () => {
      child.kill();
      setTimeout(() => child.kill("SIGKILL"), STOP_MS).unref();
    };
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr = (stderr + text).slice(-2000)));
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => {
        endReading = () => {};
        const report = reportIn(stdout);
        if (!report) return reject(new Error(`nitka ingest has ended with ${signal ?? code}: ${stderr.trim()}`));
        resolve({ ...report, failed: report["failed"]?.length, skipped: report["skipped"]?.length });
      });
    });
  }

  return {
    states: async (projects) => {
      const known = Object.entries(projects).flatMap(([id, { knowledge }]) =>
        knowledge ? [[id, knowledge] as const] : [],
      );
      if (known.length === 0) return [];
      const opened = await store();
      return Promise.all(known.map(async ([id, fields]) => knowledgeState(opened, id, fields)));
    },
    of: (projectId, fields, sources) => {
      let made: Promise<Knowledge> | undefined;
      return {
        search: async (query, options) => {
          made ??= store().then(async (each) => searchIn(each, [projectId, fields], sources));
          made.catch(() => (made = undefined));
          return (await made).search(query, options);
        },
      };
    },
    startReadings: (projects) => {
      const look = () => {
        reading = reading.then(async () => readDue(projects()));
      };
      look();
      timer = setInterval(look, LOOK_MS).unref();
    },
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      endReading();
      await reading;
      await opened?.then(async (each) => each.close()).catch(() => undefined);
    },
  };
}

/** The report that a reading has printed; `undefined` where its process died before the end of it. */
function reportIn(stdout: string): Readonly<Record<string, unknown[]>> | undefined {
  try {
    return JSON.parse(stdout) as Record<string, unknown[]>;
  } catch {
    return undefined;
  }
}
