import type { ServerConfig } from "@nitka/protocol";
import { routes } from "@nitka/protocol/routes";
import { loadChunk } from "../load-chunk.ts";
import type { Api, RequestOptions } from "./http-request.ts";
import { request, requestJson } from "./http-request.ts";
import { readMessages, readThread, readThreads } from "./read-response.ts";
import type { Transport } from "./transport.ts";
import { unreachable } from "./http-error.ts";

/** This code is in one chunk with the view of messages, which loads with the chat. */
const loadReader = loadChunk(() => import("./read-run.ts"));
const loadUpload = loadChunk(() => import("./upload.ts"));
const loadRareRequests = loadChunk(() => import("./rare-requests.ts"));

/** The MIME type of a run's stream. */
const EVENT_STREAM = "text/event-stream";

/** The transport over HTTP: the specification's requests, and the additions that the config's `features` announce. */
export function createHttpTransport(api: Api, features: NonNullable<ServerConfig["features"]> = {}): Transport {
  const { resume = false, cancel = false, upload: uploads = false, branch = false } = features;
  const { clientTools, approvals, feedback, restore } = features;

  const openStream = async (path: string, options: RequestOptions) => {
    // The code loads before the request, because a response without a reader would stay open.
    const { readRun } = await loadReader().catch((error: unknown) => {
      throw unreachable(error);
    });
    const response = await request(api, path, { ...options, accept: EVENT_STREAM, failure: "Upstream" });
    return { status: response.status, run: readRun(response, resume) };
  };

  const transport: Transport = {
    listThreads: async (page) => {
      const query = page ? `?${new URLSearchParams(page).toString()}` : "";
      return readThreads(await requestJson(api, routes.threads() + query));
    },
    createThread: async () => readThread(await requestJson(api, routes.threads(), { json: {} })),
    listMessages: async (threadId) => readMessages(await requestJson(api, routes.messages(threadId))),
    renameThread: async (threadId, title) => {
      await request(api, routes.rename(threadId), { json: { title }, outlivesPage: true });
    },
    archiveThread: async (threadId) => {
      await request(api, routes.archive(threadId), { json: {}, outlivesPage: true });
    },
    startRun: async (threadId, json, signal, onSent) => {
      const path = resume ? `${routes.run(threadId)}?cursor=1` : routes.run(threadId);
      const { run } = await openStream(path, { json, signal, onSent, outlivesPage: true });
      return run;
    },
    resolveUrl: (url) => new URL(url, `${api.base}/`).href,
  };

  return {
    ...transport,
    ...(resume && {
      joinRun: async (threadId, after, signal) => {
        const path = routes.run(threadId);
        const query = after === undefined ? "" : `?after=${encodeURIComponent(after)}`;
        const { status, run } = await openStream(path + query, { signal });
        return status === 204 ? undefined : run;
      },
    }),
    ...(cancel && {
      cancelRun: async (threadId) => {
        await request(api, routes.cancel(threadId), { json: {}, outlivesPage: true });
      },
    }),
    ...(branch && {
      selectBranch: async (threadId, messageId) => {
        await request(api, routes.branch(threadId), { json: { messageId }, outlivesPage: true });
      },
    }),
    ...((clientTools || approvals) && {
      answerTool: async (threadId, answer) => {
        await request(api, routes.toolAnswer(threadId), { json: answer });
      },
    }),
    ...(feedback && {
      sendFeedback: async (threadId, messageId, json) => {
        await request(api, routes.feedback(threadId, messageId), { json, outlivesPage: true });
      },
    }),
    ...(restore && {
      restoreThread: async (threadId) => (await loadRareRequests()).restoreThread(api, threadId),
    }),
    ...(uploads && {
      uploadAttachment: async (threadId, file, options) => {
        const { upload } = await loadUpload();
        return upload(api, routes.attachments(threadId), file, options);
      },
    }),
    ...(api.credential.isBearer && {
      loadFile: async (url, signal) => (await loadRareRequests()).loadFile(api, url, signal),
    }),
  } satisfies Transport;
}
