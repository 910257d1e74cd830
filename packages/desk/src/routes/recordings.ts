import { z } from "zod";
import { mimeEssence } from "@nitka/protocol/mime-type";
import { ChatError } from "@nitka/server";
import type { Log, NewId } from "@nitka/server";
import { readBody, safetyHeaders } from "@nitka/server/desk-kit";
import type { ByteBudget } from "@nitka/server/desk-kit";
import type { DeskThread, DeskThreads } from "../desk-threads.ts";
import { readRecording, recordingText } from "../recording.ts";
import { jsonResponse, whoOf } from "./desk-call.ts";
import type { DeskRoute } from "./desk-call.ts";

export interface RecordingRouteOptions {
  readonly threads: DeskThreads;
  readonly shelf: RecordingShelf;
  readonly buffers: ByteBudget;
  readonly logger: Log;
  /** See `Timings`. */
  readonly slowBodyMs: number;
}

const MAX_BYTES = 5_000_000;

const name = z.string().trim().min(1).max(200).catch("recording.sse");

/** Exports a run as a file, and accepts a file to replay. */
export function recordingRoutes({
  threads,
  shelf,
  buffers,
  logger,
  slowBodyMs,
}: RecordingRouteOptions): readonly DeskRoute[] {
  return [
    {
      path: "/runs/:run/recording/:form",
      methods: {
        async GET(call) {
          const { run: runId = "", form } = call.params;
          if (form !== "sse" && form !== "json") throw new ChatError("not_found", "A recording is sse or json.");
          const { run, events } = await threads.events(runId);
          const { threadId } = run.run;
          logger.info(
            { ...whoOf(call), projectId: run.owner.projectId, threadId, runId },
            "an operator exported an answer",
          );
          const text = recordingText(events);
          const isText = form === "sse";
          const reading = isText ? undefined : await readRecording(`the answer of ${runId}`, text);
          return new Response(isText ? text : `${JSON.stringify(reading, undefined, 2)}\n`, {
            headers: {
              ...safetyHeaders,
              "content-type": isText ? "text/event-stream" : "application/json",
              "content-disposition": `attachment; filename="${runId.replaceAll(/[^\w.-]/g, "_")}.${form}"`,
            },
          });
        },
      },
    },
    {
      path: "/recordings",
      methods: {
        async POST({ request, url }) {
          if (mimeEssence(request.headers.get("content-type") ?? "") !== "text/event-stream") {
            throw new ChatError(
              "unsupported_media_type",
              "The body must be sent with the content type text/event-stream.",
            );
          }
          const reservation = buffers.reserve();
          try {
            const bytes = await readBody(request, MAX_BYTES, "The recording is too large: at most 5 MB.", {
              reservation,
              slowBodyMs,
            });
            const text = new TextDecoder().decode(bytes);
            const recording = threads.recording(name.parse(url.searchParams.get("name")), text);
            return jsonResponse({ recordingId: shelf.put(recording, bytes.length) });
          } finally {
            reservation.release();
          }
        },
      },
    },
  ];
}

/** The recordings that operators have opened, in the memory of this process. */
export interface RecordingShelf {
  /** Stores a recording, and drops the oldest ones if there is no room. Returns its id. */
  put(recording: DeskThread, bytes: number): string;
  /** @throws ChatError `not_found` for a recording that was dropped */
  get(id: string): DeskThread;
}

const SHELF_BYTES = 50_000_000;

export function createRecordingShelf(newId: NewId): RecordingShelf {
  const kept = new Map<string, { readonly recording: DeskThread; readonly bytes: number }>();
  return {
    put(recording, bytes) {
      const id = newId("run");
      kept.set(id, { recording, bytes });
      let total = [...kept.values()].reduce((sum, one) => sum + one.bytes, 0);
      for (const [oldest, one] of kept) {
        if (total <= SHELF_BYTES || oldest === id) break;
        kept.delete(oldest);
        total -= one.bytes;
      }
      return id;
    },

    get(id) {
      const found = kept.get(id);
      if (!found) throw new ChatError("not_found", "The recording is no longer here: open its file again.");
      return found.recording;
    },
  };
}
