import type { Problem } from "@nitka/protocol";

/** The HTTP statuses of the protocol's errors that these operations use. */
const statuses = {
  bad_request: 400,
  unauthorized: 401,
  not_found: 404,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
} as const;

/** A request that cannot be fulfilled. Its message is for people, and names what is wrong. */
export class Refusal extends Error {
  readonly #code: keyof typeof statuses;

  constructor(code: keyof typeof statuses, message: string) {
    super(message);
    this.#code = code;
  }

  toResponse(): Response {
    const problem: Problem = { error: { code: this.#code, message: this.message } };
    return Response.json(problem, { status: statuses[this.#code] });
  }
}
