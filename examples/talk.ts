/** One visit to a chat server, from the config to the stored answer, with only the requests of the protocol. */

/** The result of a visit. */
export interface Visit {
  readonly apiBase: string;
  /** The answer's text as it was streamed. */
  readonly answer: string;
  readonly title: string | undefined;
  /** The roles of the stored messages. */
  readonly stored: readonly string[];
}

/**
 * @param proxyUrl where the server is mounted, with a slash at its end
 * @param fetch as the global one
 */
export async function talk(proxyUrl: string, fetch: (request: Request) => Promise<Response>): Promise<Visit> {
  let cookie = "";
  const call = async (url: URL, body?: unknown): Promise<Response> => {
    const headers = { cookie, ...(body === undefined ? {} : { "content-type": "application/json" }) };
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(new Request(url, { ...init, headers }));
    cookie = response.headers.get("set-cookie")?.split(";", 1)[0] ?? cookie;
    if (!response.ok) throw new Error(`${url.pathname} answered ${response.status}: ${await response.text()}`);
    return response;
  };

  const config = await call(new URL("api/projects/default/config", proxyUrl));
  const { apiBase } = (await config.json()) as { apiBase: string };
  const api = new URL(apiBase, proxyUrl);
  const created = await call(new URL("api/debug/threads", api), {});
  const { threadId } = (await created.json()) as { threadId: string };
  const question = { id: "question1", role: "user", content: "Привет! Кто ты?" };
  const stream = await call(new URL(`api/debug/threads/${threadId}/run/stream`, api), { messages: [question] });
  const answer = textOf(await stream.text());
  const listed = await call(new URL("api/debug/threads", api));
  const [thread] = (await listed.json()) as { title?: string }[];
  const messages = await call(new URL(`api/debug/threads/${threadId}/messages`, api));
  const stored = ((await messages.json()) as { role: string }[]).map(({ role }) => role);
  return { apiBase, answer, title: thread?.title, stored };
}

/** The text of a stream. A stream without `[DONE]` is an error. */
function textOf(stream: string): string {
  const data = stream.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
  if (data.at(-1) !== "[DONE]") throw new Error("The stream broke off");
  const events = data.slice(0, -1).map((json) => JSON.parse(json) as { type: string; delta?: string });
  return events.map(({ type, delta = "" }) => (type === "text-delta" ? delta : "")).join("");
}
