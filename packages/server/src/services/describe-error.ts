/**
 * Describes an error for the log, without any text of a visitor or a model. Errors of providers contain the request and
 * the response, and quote them in their messages. Only their name, status and codes are logged.
 */
export interface ErrorDescription {
  readonly name: string;
  readonly message?: string;
  readonly code?: string | number;
  /** The upstream's own code for the error, or its type. */
  readonly upstream?: string;
  /** The length of the body of the upstream's error response, or of the error's text in a stream. */
  readonly responseChars?: number;
  readonly stack?: string;
  readonly cause?: ErrorDescription;
}

const MAX_CHARS = 300;

/** @param depth how many levels of causes are described */
export function describeError(error: unknown, depth = 3): ErrorDescription {
  // A thrown string may come from the upstream: a body, or a statement about the question.
  if (!(error instanceof Error)) return { name: typeof error, ...reported(error) };
  const { code, statusCode, data, responseBody } = error as Readonly<
    Record<"code" | "statusCode" | "data" | "responseBody", unknown>
  > &
    Error;
  const found = [statusCode, code].find((value) => typeof value === "number" || isCode(value));
  return {
    name: error.name,
    ...(repeatsText(error) ? {} : { message: error.message.slice(0, MAX_CHARS) }),
    ...(found === undefined ? {} : { code: found }),
    ...upstreamOf(data),
    ...(typeof responseBody === "string" ? { responseChars: responseBody.length } : {}),
    ...(depth === 3 && error.stack !== undefined ? { stack: framesOf(error.stack, error.message) } : {}),
    ...(error.cause === undefined || depth === 0 ? {} : { cause: describeError(error.cause, depth - 1) }),
  };
}

/**
 * Whether the message quotes the input that could not be read, as those of JSON.parse, of schemas and of providers do.
 */
function repeatsText(error: Error): boolean {
  return error instanceof SyntaxError || error.name === "ZodError" || (AI_SDK_ERROR in error && !isOfMcpClient(error));
}

/**
 * Whether the message is the MCP client's own. An error with a server's message also has the response's body or a code.
 */
function isOfMcpClient({
  name,
  code,
  responseBody,
}: Error & { readonly code?: unknown; readonly responseBody?: unknown }) {
  return name === "MCPClientError" && code === undefined && responseBody === undefined;
}

/** Every error of the AI SDK has this symbol, whichever copy of the SDK made it. */
const AI_SDK_ERROR = Symbol.for("vercel.ai.error");

/** An error that an upstream reports in the middle of a stream: its codes, and the length of its message. */
function reported(error: unknown): Partial<ErrorDescription> {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return {
    ...(typeof code === "number" ? { code } : {}),
    ...upstreamOf(error),
    ...(typeof message === "string" ? { responseChars: message.length } : {}),
  };
}

/** The code of an error response, as `{ error: { code, type } }` or without the outer object. */
function upstreamOf(body: unknown): { readonly upstream?: string } {
  if (typeof body !== "object" || body === null) return {};
  const { error = body } = body as { readonly error?: unknown };
  if (typeof error !== "object" || error === null) return {};
  const { code, type } = error as { readonly code?: unknown; readonly type?: unknown };
  const upstream = [code, type].find(isCode);
  return upstream === undefined ? {} : { upstream };
}

/** A code is a single word. Anything else in its place may be free text. */
function isCode(value: unknown): value is string {
  return typeof value === "string" && /^[a-z0-9][a-z0-9_.-]{0,63}$/i.test(value);
}

/** The first frames of a stack. The message is removed, because it may contain lines that look like frames. */
function framesOf(stack: string, message: string): string {
  return stack
    .replace(message, () => "")
    .split("\n")
    .filter((line) => line.trimStart().startsWith("at "))
    .slice(0, 8)
    .join("\n");
}
