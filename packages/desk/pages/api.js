import { words } from "./words.js";

/** A refusal by the server, with a sentence for the operator. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} sentence
   */
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

/**
 * Asks the desk's API.
 *
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<any>} the JSON of the response; `undefined` for one without a body
 */
export async function request(path, init) {
  const response = await fetch(`/desk/api${path}`, init).catch(() => {
    throw new Refusal(0, words.failure.offline);
  });
  if (response.status === 204) return undefined;
  const body = await response.json().catch(() => undefined);
  if (response.ok) return body;
  throw new Refusal(
    response.status,
    words.failure.statuses[response.status] ?? body?.error?.message ?? words.failure.unknown,
  );
}

/**
 * The sentence of an error.
 *
 * @param {unknown} error
 */
export function textOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * A list, or the reason why it cannot be read. The filters above it stay.
 *
 * @param {Promise<Node>} list
 */
export function listOrProblem(list) {
  return list.catch((error) => {
    if (error instanceof Refusal && error.status === 401) throw error;
    const problem = document.createElement("p");
    problem.className = "problem";
    problem.role = "alert";
    problem.textContent = textOf(error);
    return problem;
  });
}
