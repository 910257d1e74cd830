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

/** The interval of checking whether a reading is due, in milliseconds. */
const LOOK_MS = 60_000;

/** A failed reading is not retried before this time, or before its usual interval if that is shorter. */
const RETRY_MS = 900_000;

/** How long a reading may take to stop, in milliseconds. */
const STOP_MS = 3000;

/** With these limits, the worst pages need at most 300 MB. */
const SMALL_HEAP = ["--max-old-space-size=100", "--max-semi-space-size=8"];

export interface ServedKnowledge {
  /** The search of a project's pages. Nothing is opened before the first question. */
  readonly of: KnowledgeOf;
  /** The state of these projects' knowledge. */
  readonly states: (projects: Settings["projects"]) => Promise<readonly KnowledgeState[]>;
  /** Reads the pages of each project with `every` when it is due, until `stop` is called. */
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

/** The knowledge of the program's projects while it serves. */
export function createServedKnowledge({ settings, env, log, clock }: ServedKnowledgeOptions): ServedKnowledge {
  let opened: Promise<KnowledgeStore> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let reading: Promise<void> = Promise.resolve();
  let endReading = () => {};
  const triedAt = new Map<string, number>();

  const store = () => {
    opened ??= openKnowledge(settings);
    // The next search retries a database that was unavailable.
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

  /** Reads in a separate process: parsing pages takes processor time and memory that answers need. */
  function readApart(projectId: string): Promise<Readonly<Record<string, unknown>>> {
    const main = fileURLToPath(import.meta.resolve("#main"));
    const child = spawn(process.execPath, [...SMALL_HEAP, main, "ingest", "--project", projectId, "--json"], {
      env: { ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    // Answers take precedence.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    // A process that is asked to stop lets others read at once. While it parses a large page it cannot react, so it is
    // killed after a while.
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

/** The report that a reading has printed; `undefined` when its process died before the end of the report. */
function reportIn(stdout: string): Readonly<Record<string, unknown[]>> | undefined {
  try {
    return JSON.parse(stdout) as Record<string, unknown[]>;
  } catch {
    return undefined;
  }
}
