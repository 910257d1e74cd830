/** A difference from the protocol: the request, the expected response and the received one. */
export class Nonconformance extends Error {
  readonly request: string;
  readonly expected: string;
  readonly got: string;

  constructor(request: string, expected: string, got: string) {
    super(`${request}: expected ${expected}, got ${got}`);
    this.request = request;
    this.expected = expected;
    this.got = got;
  }
}

/** The check is not applicable to this backend; the message says why. */
export class NotCheckable extends Error {}

/** @throws {Nonconformance} unless the condition holds */
export function demand(holds: boolean, request: string, expected: string, got: string): asserts holds {
  if (!holds) throw new Nonconformance(request, expected, got);
}

/** The beginning of a text, in one line. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

/** What a JSON text says; `undefined` for any other text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
