/** An error for the log. Errors of providers also hold the request and the response: those have texts of visitors, and stay out. */
export interface ErrorDescription {
  readonly name: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
  readonly cause?: ErrorDescription;
}

const MAX_CHARS = 300;

/** @param depth how many causes of causes are described */
export function describeError(error: unknown, depth = 3): ErrorDescription {
  if (!(error instanceof Error)) return { name: typeof error, message: String(error).slice(0, MAX_CHARS) };
  const { code, statusCode } = error as { readonly code?: unknown; readonly statusCode?: unknown };
  const found = [statusCode, code].find((value) => typeof value === "string" || typeof value === "number");
  return {
    name: error.name,
    message: error.message.slice(0, MAX_CHARS),
    ...(found === undefined ? {} : { code: found }),
    ...(depth === 3 && error.stack !== undefined ? { stack: framesOf(error.stack) } : {}),
    ...(error.cause === undefined || depth === 0 ? {} : { cause: describeError(error.cause, depth - 1) }),
  };
}

/** The first frames of a stack. Its first lines repeat the message, which may be long. */
function framesOf(stack: string): string {
  return stack
    .split("\n")
    .filter((line) => line.trimStart().startsWith("at "))
    .slice(0, 8)
    .join("\n");
}
