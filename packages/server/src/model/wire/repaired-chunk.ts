/** Converts a chunk of a chat completion, or a whole one, to the form that the AI SDK's schema accepts. */

/** An object from any server, of which only these fields are read. */
export type Json = { readonly [Name in Field]?: unknown };

type Field =
  | ("choices" | "usage" | "id" | "error" | "object" | "detail" | "status" | "code" | "httpCode" | "type")
  | ("delta" | "message" | "finish_reason" | "content" | "refusal" | "reasoning_content" | "reasoning")
  | ("tool_calls" | "function_call" | "index" | "function" | "name" | "arguments" | "extra_content")
  | ("prompt_tokens" | "completion_tokens" | (typeof detailFields)[number]);

/**
 * The chunk with the fields that the SDK reads. Servers that implement OpenAI's protocol fill some fields in their own
 * ways, and the schema would refuse the whole chunk because of one field.
 *
 * @param field the field of a choice that contains the message: `delta` in a stream, `message` in a whole completion
 *
 * @example
 * repairedChunk({ choices: null, usage: { prompt_tokens: 3 } }, "delta")
 * // { choices: [], usage: { prompt_tokens: 3 } }
 */
export function repairedChunk(value: Json, field: "delta" | "message"): Json {
  const error = errorIn(value);
  if (error) return { error };
  const choice = (Array.isArray(value.choices) ? value.choices : []).find(isObject);
  const reason = reasonOf(choice?.finish_reason);
  if (reason !== null && failures.has(reason))
    return { error: { message: `The answer ended with ${reason}`, code: reason } };
  const usage = usageOf(value.usage);
  const head = { ...(typeof value.id === "string" && { id: value.id }), ...(usage && { usage }) };
  if (!choice) return { ...head, choices: [] };
  const message = isObject(choice.delta) ? messageOf(choice.delta, false) : messageOf(choice.message, true);
  return {
    ...head,
    choices: [{ [field]: message, finish_reason: reason }],
  };
}

/** Finish reasons of an answer that the service could not complete: OpenRouter and GigaChat, DeepSeek, vLLM, Zhipu. */
const failures: ReadonlySet<string> = new Set(["error", "insufficient_system_resource", "abort", "network_error"]);

/** Further names of OpenAI's finish reasons: Mistral's, and those of other protocols, which gateways pass on. */
const otherNames: Readonly<Record<string, string>> = {
  model_length: "length",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  safety: "content_filter",
  recitation: "content_filter",
  blocklist: "content_filter",
  blacklist: "content_filter",
  prohibited_content: "content_filter",
  spii: "content_filter",
  sensitive: "content_filter",
  refusal: "content_filter",
};

/** The finish reason with OpenAI's name if it is a known one. Google's gateways write it in capitals. */
function reasonOf(given: unknown): string | null {
  const [reason = ""] = (textOf(given) ?? "").toLowerCase().split(":", 1);
  return (Object.hasOwn(otherNames, reason) ? otherNames[reason] : reason) || null;
}

/**
 * The object in a JSON text. Of a list, in which Google wraps its errors, the first object. `undefined` for anything
 * else.
 */
export function objectIn(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const object: unknown = Array.isArray(value) ? (value as readonly unknown[])[0] : value;
    return isObject(object) ? object : undefined;
  } catch {
    return undefined;
  }
}

/**
 * OpenAI's `error`, a plain error text, or an object that is an error as a whole: `{ "object": "error", "message" }`.
 */
function errorIn(value: Json): Json | undefined {
  const found = value.error ?? (Array.isArray(value.choices) ? undefined : ownError(value));
  if (found === undefined || found === false) return undefined;
  const [item = found] = [found].flat() as readonly unknown[];
  const error: Json = isObject(item) ? item : { message: item };
  const code = error.code ?? error.status ?? error.httpCode;
  const status = Number(code);
  return {
    message: textOf(error.message) ?? JSON.stringify(item),
    type: textOf(error.type),
    code: Number.isInteger(status) && status > 0 ? status : textOf(code),
  };
}

function ownError(value: Json): Json | undefined {
  const message = value.message ?? value.detail;
  return value.object === "error" || typeof message === "string" ? { ...value, message } : undefined;
}

/** @param isWhole whether the message is complete rather than a delta: its calls have no index then */
function messageOf(given: unknown, isWhole: boolean): Json {
  const message = isObject(given) ? given : {};
  const said = {
    content: contentOf(message.content),
    refusal: textOf(message.refusal),
    reasoning_content: textOf(message.reasoning_content) || textOf(message.reasoning),
  };
  const asked = message.tool_calls ?? message.function_call;
  if (asked === undefined || asked === null) return said;
  const calls = [asked]
    .flat()
    .filter(isObject)
    .map((call, at) => callOf(call, isWhole ? at : undefined));
  return calls.length > 0 ? { ...said, tool_calls: calls } : said;
}

/** A text, or a list of parts as Mistral sends it. */
function contentOf(content: unknown): unknown {
  return Array.isArray(content)
    ? content.filter((part) => isObject(part) && typeof part.type === "string")
    : textOf(content);
}

/**
 * A tool call, or a `function_call` of OpenAI's older format, which is not in a list and therefore has no index.
 *
 * @param at its position in a complete message
 */
function callOf(call: Json, at: number | undefined): Json {
  const isOlder = !isObject(call.function) && ("name" in call || "arguments" in call);
  const asked = isOlder ? call : isObject(call.function) ? call.function : {};
  const index = at ?? (isOlder ? 0 : numberOf(call.index));
  const id = typeof call.id === "number" ? String(call.id) : textOf(call.id);
  return {
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id }),
    function: { name: textOf(asked.name), arguments: argumentsOf(asked.arguments) },
    ...(isObject(call.extra_content) && { extra_content: call.extra_content }),
  };
}

/** The arguments as JSON: some servers send them as an object. */
function argumentsOf(given: unknown): string | undefined {
  return typeof given === "string" || given === undefined || given === null ? textOf(given) : JSON.stringify(given);
}

const detailFields = ["prompt_tokens_details", "completion_tokens_details"] as const;

/**
 * The numeric fields of the usage. Some services, such as xAI, include reasoning in the total but not in the
 * completion.
 */
function usageOf(usage: unknown): Json | undefined {
  if (!isObject(usage)) return undefined;
  const details = detailFields.flatMap((name) => (isObject(usage[name]) ? [[name, numbersOf(usage[name])]] : []));
  const {
    prompt_tokens: sent = 0,
    completion_tokens: received = 0,
    total_tokens: total = 0,
    ...more
  } = numbersOf(usage);
  const completion = sent > 0 && received > 0 ? Math.max(received, total - sent) : received;
  return { ...more, prompt_tokens: sent, completion_tokens: completion, ...(Object.fromEntries(details) as Json) };
}

function numbersOf(value: Json): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (typeof each === "number" ? [[name, each]] : [])),
  );
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return Number.isInteger(number) ? (number as number) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
