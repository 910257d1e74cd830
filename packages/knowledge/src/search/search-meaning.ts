import { setImmediate as nextTurn } from "node:timers/promises";
import type { FoundPassage, KnowledgeStore, ScoredPassage } from "../store/knowledge-store.ts";

/** Makes vectors of texts: those of like meaning are near each other. */
export interface Embeddings {
  /** The model's name: vectors of another model do not compare. */
  readonly model: string;
  /** One vector for each text, in their order. */
  readonly embed: (texts: readonly string[], signal: AbortSignal) => Promise<readonly Float32Array[]>;
}

/** Waiting longer for the vector of a question would hold up its answer. */
const QUESTION_MS = 3000;

/** Texts that are sent to the service at a time. */
const BATCH = 64;

/** What is less like the question than this has another subject (cosine). */
const LEAST_LIKENESS = 0.25;

/** Vectors that are compared before other work has its turn. */
const COMPARED_AT_ONCE = 2000;

/** The vectors of a project, of one length, each with the length 1: kept while the passages are the same. */
interface Vectors {
  readonly key: string;
  readonly ids: readonly number[];
  readonly size: number;
  readonly values: Float32Array;
}

/** Finds the passages of a project whose meaning is most like a question's, the most like first. */
export function createMeaningSearch(store: KnowledgeStore, projectId: string, { model, embed }: Embeddings) {
  let kept: Vectors | undefined;
  return async (question: string, limit: number, signal: AbortSignal): Promise<readonly FoundPassage[]> => {
    const key = await store.vectorsVersion(projectId, model);
    if (kept?.key !== key) kept = joinedVectors(key, await store.vectors(projectId, model));
    const { ids, size, values } = kept;
    if (ids.length === 0) return [];
    const [asked] = await embed([question], AbortSignal.any([signal, AbortSignal.timeout(QUESTION_MS)]));
    if (asked?.length !== size) return [];
    const wanted = unit(asked);
    const likeness: ScoredPassage[] = [];
    for (const [row, id] of ids.entries()) {
      if (row % COMPARED_AT_ONCE === COMPARED_AT_ONCE - 1) await nextTurn();
      let score = 0;
      for (let at = 0, from = row * size; at < size; at += 1) score += (wanted[at] ?? 0) * (values[from + at] ?? 0);
      if (score >= LEAST_LIKENESS) likeness.push({ id, score });
    }
    likeness.sort((one, other) => other.score - one.score || one.id - other.id);
    return store.index.passages(likeness.slice(0, limit));
  };
}

/** Makes the vectors that passages lack. What another model has made is replaced bit by bit, while searches go on. */
export async function embedPassages(
  store: KnowledgeStore,
  projectId: string,
  { model, embed }: Embeddings,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const passages = await store.passagesToEmbed(projectId, model, BATCH);
    if (passages.length === 0) return;
    const texts = passages.map(({ text }) => text);
    const vectors = await embed(texts, signal);
    if (vectors.length !== passages.length)
      throw new Error(`${model} gave ${vectors.length} vectors for ${passages.length} texts.`);
    await store.putVectors(
      projectId,
      model,
      passages.flatMap(({ id }, index) => {
        const vector = vectors[index];
        return vector ? [{ id, vector: unit(vector) }] : [];
      }),
    );
  }
}

function joinedVectors(key: string, rows: readonly { readonly id: number; readonly vector: Uint8Array }[]): Vectors {
  const bytes = rows[0]?.vector.byteLength ?? 0;
  const same = rows.filter(({ vector }) => vector.byteLength === bytes);
  const size = bytes / Float32Array.BYTES_PER_ELEMENT;
  const values = new Float32Array(same.length * size);
  for (const [row, { vector }] of same.entries())
    values.set(new Float32Array(Uint8Array.from(vector).buffer), row * size);
  return { key, ids: same.map(({ id }) => id), size, values };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
