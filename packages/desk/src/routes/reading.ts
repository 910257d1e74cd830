/** The chat's API for one read-only thread, for the widget on the desk's pages. */
import { setTimeout as sleep } from "node:timers/promises";
import { DONE, encodeSse } from "@nitka/protocol/sse";
import type { ServerConfig } from "@nitka/protocol";
import { ChatError } from "@nitka/server";
import type { Log } from "@nitka/server";
import { attachmentHeaders, describeError, piecesResponse, safetyHeaders, sseResponse } from "@nitka/server/desk-kit";
import type { FrameSink, PathParams } from "@nitka/server/desk-kit";
import type { DeskThread } from "../desk-threads.ts";
import type { PacedEvent } from "../paced-events.ts";
import { emptyResponse, jsonResponse, whoOf } from "./desk-call.ts";
import type { DeskCall, DeskRoute } from "./desk-call.ts";

export interface ReadingOptions {
  /** The prefix of the chat's paths. */
  readonly path: string;
  /** Finds the thread. Throws a ChatError when there is none. */
  readonly find: (params: PathParams) => Promise<DeskThread>;
  /** The speed factor with which an answer is replayed; 0 for at once. */
  readonly speed: (params: PathParams) => number;
  readonly logger: Log;
  readonly slowReaderMs: number;
}

export function readingRoutes({ path, find, speed, logger, slowReaderMs }: ReadingOptions): readonly DeskRoute[] {
  const onError =
    ({ requestId }: DeskCall) =>
    (error: unknown) =>
      logger.error({ requestId, error: describeError(error) }, "a conversation could not be sent to the desk");

  return [
    {
      path: `${path}/api/projects/:project/config`,
      methods: {
        async GET({ params }) {
          const { events } = await find(params);
          const config: ServerConfig = {
            apiBase: "./",
            attachments: false,
            feedbackUrl: false,
            features: { resume: events !== undefined },
          };
          return jsonResponse(config);
        },
      },
    },
    {
      path: `${path}/api/debug/threads`,
      methods: { GET: async ({ params }) => jsonResponse([(await find(params)).thread]) },
    },
    {
      path: `${path}/api/debug/threads/:id/messages`,
      methods: {
        async GET(call) {
          const { ids, messages, events } = await find(call.params);
          const { bindings } = call;
          logger.info(
            { ...whoOf(call), ...ids },
            events ? "an operator replayed an answer" : "an operator opened a conversation",
          );
          const headers = { ...safetyHeaders, "content-type": "application/json" };
          return piecesResponse(bindings, { status: 200, headers }, await messages(), {
            slowReaderMs,
            onError: onError(call),
          });
        },
      },
    },
    {
      path: `${path}/api/debug/threads/:id/run/stream`,
      methods: {
        async GET(call) {
          const { events } = await find(call.params);
          if (!events) return emptyResponse();
          const paced = await events();
          return sseResponse(call.bindings, safetyHeaders, (sink) => {
            play(sink, paced, { speed: speed(call.params), slowReaderMs }).catch((error: unknown) => {
              sink.cutOff();
              onError(call)(error);
            });
          });
        },
      },
    },
    {
      path: `${path}/api/debug/attachments/:attachment`,
      methods: {
        async GET(call) {
          const { ids, attachment: read } = await find(call.params);
          if (!read) throw new ChatError("not_found", "There is no such attachment.");
          const { attachment, pieces } = await read(call.params["attachment"] ?? "");
          logger.info({ ...whoOf(call), ...ids, attachmentId: attachment.id }, "an operator opened a file");
          const headers = { ...safetyHeaders, ...attachmentHeaders(attachment) };
          return piecesResponse(call.bindings, { status: 200, headers }, pieces, {
            slowReaderMs,
            onError: onError(call),
          });
        },
      },
    },
  ];
}

/** Shorter waits are accumulated, because a timer is not precise enough for them. */
const LEAST_WAIT_MS = 15;

/** Writes events at their pace, and stops when the reader has disconnected. */
async function play(
  sink: FrameSink,
  events: readonly PacedEvent[],
  { speed, slowReaderMs }: { readonly speed: number; readonly slowReaderMs: number },
): Promise<void> {
  const gone = new AbortController();
  sink.onClose(() => gone.abort());
  let dueMs = 0;
  for (const { data, waitMs } of events) {
    if (speed > 0) dueMs += waitMs / speed;
    if (dueMs >= LEAST_WAIT_MS) {
      await sleep(dueMs, undefined, { signal: gone.signal }).catch(() => undefined);
      dueMs = 0;
    }
    if (gone.signal.aborted) return;
    if (!sink.write(frameOf(data)) && !(await sink.waitForRoom(slowReaderMs))) return sink.cutOff();
  }
  sink.write(encodeSse(DONE));
  sink.end();
}

/** An event of a recording may have several lines. */
function frameOf(data: string): string {
  return encodeSse(data.replaceAll("\n", "\ndata: "));
}
