import { createKnowledge, openPostgresKnowledge, openSqliteKnowledge } from "@nitka/knowledge";
import { percentile } from "../../report.ts";

export interface Asked {
  /** The address of the first result for each question. */
  readonly firsts: readonly (string | undefined)[];
  /** Milliseconds of a search. */
  readonly p50: number;
  readonly p99: number;
  /** The same for each question's fastest search, because other programs on the machine can only slow a search down. */
  readonly least99: number;
  /** Milliseconds of this process's processor time for a search. */
  readonly cpuMs: number;
}

/** The number of times that each question is asked. */
const ROUNDS = 3;

/** Asks every question in this process. `place` is a file of SQLite or an address of Postgres. */
export async function searchQuestions(place: string, questions: readonly string[]): Promise<Asked> {
  const store = await (place.startsWith("postgres:")
    ? openPostgresKnowledge({ url: place })
    : openSqliteKnowledge({ path: place }));
  const knowledge = createKnowledge({ store, projectId: "p" });
  const times: number[] = [];
  const least = questions.map(() => Number.POSITIVE_INFINITY);
  const firsts: (string | undefined)[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, question] of questions.entries()) {
      const start = performance.now();
      const [first] = await knowledge.search(question, { limit: 6, signal: AbortSignal.timeout(30_000) });
      const time = performance.now() - start;
      times.push(time);
      least[at] = Math.min(least[at] ?? 0, time);
      firsts[at] = first?.url;
    }
  }
  const { user, system } = process.cpuUsage(before);
  await store.close();
  return {
    firsts,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    least99: percentile(least, 0.99),
    cpuMs: (user + system) / 1000 / times.length,
  };
}
