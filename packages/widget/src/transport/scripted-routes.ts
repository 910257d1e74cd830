/** Translates HTTP requests into method calls of a scripted transport, for a scripted server and a scripted `fetch`. */
import type { RunRequest, ToolAnswer } from "@nitka/protocol";
import { HttpError } from "./http-error.ts";
import type { RunStream, Transport } from "./transport.ts";

export interface ScriptedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/** A JSON body, or a run's stream; `undefined` if no run is active. */
export type ScriptedResponse =
  | { readonly type: "json"; readonly value: unknown }
  | { readonly type: "stream"; readonly run: RunStream | undefined };

/** @param signal aborts when the client has disconnected */
export async function respondScripted(
  backend: Transport,
  { method, url, body }: ScriptedRequest,
  signal: AbortSignal,
): Promise<ScriptedResponse> {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const [id = "", ...rest] = pathname.replace("/api/debug/threads", "").split("/").slice(1).map(decodeURIComponent);
  const fields = body === "" ? undefined : (JSON.parse(body) as Record<string, unknown>);
  const before = searchParams.get("before");
  const at = searchParams.get("at");
  const after = searchParams.get("after");
  const query = searchParams.get("query");
  const json = (value: unknown): ScriptedResponse => ({ type: "json", value });
  switch (`${method} ${rest.join("/")}`) {
    case "GET ":
      if (query !== null) return json(await backend.listThreads({ query }));
      return json(await backend.listThreads(before === null || at === null ? undefined : { before, at }));
    case "POST ":
      return json(await backend.createThread());
    case "GET messages":
      return json(await backend.listMessages(id));
    case "POST rename":
      return json(await backend.renameThread(id, String(fields?.["title"])));
    case "POST archive":
      return json(await backend.archiveThread(id));
    case "POST restore":
      return json(await backend.restoreThread?.(id));
    case "POST run/stream":
      return { type: "stream", run: await backend.startRun(id, fields as unknown as RunRequest, signal) };
    case "GET run/stream":
      return { type: "stream", run: await backend.joinRun?.(id, after ?? undefined, signal) };
    case "POST run/cancel":
      return json(await backend.cancelRun?.(id));
    case "POST run/tool":
      return json(await backend.answerTool?.(id, fields as unknown as ToolAnswer));
    case "POST branch":
      return json(await backend.selectBranch?.(id, String(fields?.["messageId"])));
    default:
      throw new HttpError("", { status: 404, code: "no_such_route" });
  }
}
