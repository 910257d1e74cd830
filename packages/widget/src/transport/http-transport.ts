import type { ServerConfig } from "@nitka/protocol";
import { readStream } from "@nitka/protocol/read-stream";
import { routes } from "@nitka/protocol/routes";
import { loadChunk } from "../load-chunk.ts";
import type { Api } from "./http-request.ts";
import { request, requestJson } from "./http-request.ts";
import { readMessages, readThread, readThreads } from "./read-response.ts";
import type { RunStream, Transport } from "./transport.ts";
import { withSilenceTimeout } from "./with-silence-timeout.ts";
import { STREAM_SILENCE_MS } from "../timings.ts";

const loadUpload = loadChunk(() => import("./upload.ts"));
const loadFileLoader = loadChunk(() => import("./load-file.ts"));

/** The MIME type of a run's stream. */
const EVENT_STREAM = "text/event-stream";

/** The transport over HTTP: the specification's requests, and the additions that the config's `features` name. */
export function createHttpTransport(api: Api, features: NonNullable<ServerConfig["features"]> = {}): Transport {
  const { resume = false, cancel = false, upload: uploads = false, branch = false } = features;

  const streamOf = (response: Response): RunStream => {
    const body = response.body ?? new Blob().stream();
    return readStream(resume ? withSilenceTimeout(body, STREAM_SILENCE_MS) : body);
  };

  const transport: Transport = {
    listThreads: async (page) =>
      readThreads(
        await requestJson(
          api,
          page?.before === undefined
            ? routes.threads()
            : `${routes.threads()}?before=${encodeURIComponent(page.before)}`,
        ),
      ),
    createThread: async () => readThread(await requestJson(api, routes.threads(), { json: {} })),
    listMessages: async (threadId) => readMessages(await requestJson(api, routes.messages(threadId))),
    renameThread: async (threadId, title) => {
      await request(api, routes.rename(threadId), { json: { title }, outlivesPage: true });
    },
    archiveThread: async (threadId) => {
      await request(api, routes.archive(threadId), { json: {}, outlivesPage: true });
    },
    startRun: async (threadId, json, signal) =>
      streamOf(
        await request(api, resume ? `${routes.run(threadId)}?cursor=1` : routes.run(threadId), {
          json,
          signal,
          accept: EVENT_STREAM,
          failure: "Upstream",
        }),
      ),
    resolveUrl: (url) => new URL(url, `${api.base}/`).href,
  };

  return {
    ...transport,
    ...(resume && {
      joinRun: async (threadId, after, signal) => {
        const run = routes.run(threadId);
        const path = after === undefined ? run : `${run}?after=${encodeURIComponent(after)}`;
        const response = await request(api, path, { signal, accept: EVENT_STREAM, failure: "Upstream" });
        return response.status === 204 ? undefined : streamOf(response);
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
    ...(uploads && {
      uploadAttachment: async (threadId, file, options) => {
        const { upload } = await loadUpload();
        return upload(api, routes.attachments(threadId), file, options);
      },
    }),
    ...(api.credential.isBearer && {
      loadFile: async (url, signal) => {
        const { loadFile } = await loadFileLoader();
        return loadFile(api, url, signal);
      },
    }),
  } satisfies Transport;
}
