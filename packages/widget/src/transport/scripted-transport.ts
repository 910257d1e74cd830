import type { Attachment, Message, RunRequest, ServerConfig, StreamEvent, Thread } from "@nitka/protocol";
import { attachmentTypeOf } from "@nitka/protocol/attachment";
import { textOf } from "@nitka/protocol/message";
import type { StreamFrame } from "@nitka/protocol/read-stream";
import { HttpError } from "./http-error.ts";
import type { RunStream, Transport } from "./transport.ts";

/** A run that a script controls. */
export interface ScriptedRun {
  readonly threadId: string;
  /** The body of the request that began the run; a rejoined run has none. */
  readonly request?: RunRequest;
  /** The id of the event after which the run was rejoined. */
  readonly after?: string;
  readonly signal: AbortSignal;
  /** Streams these events. With `seq` their ids are `run:<seq>`, `run:<seq + 1>` and so on. */
  emit(events: readonly StreamEvent[], seq?: number): void;
  /** Ends the stream with `[DONE]`. */
  done(): void;
  /** Closes the stream without `[DONE]`, like a lost connection. */
  close(): void;
  /** Breaks the stream with an error. */
  fail(error: Error): void;
}

/** What the scripted backend stores, and how it behaves. Tests change it while they run. */
export interface Script {
  threads: readonly Thread[];
  messages: Readonly<Record<string, readonly Message[]>>;
  /** Called when a run begins or is rejoined. A script that plays automatically plays here. */
  onRun?: (run: ScriptedRun) => void;
  /** Whether there is a run to rejoin. */
  joinable?: (threadId: string, after: string | undefined) => boolean;
  /** Called before the method of this name resolves. It may throw or wait. */
  before?: (call: string, ...args: readonly unknown[]) => Promise<void> | void;
}

/** The page size of our server. A plain backend returns everything. */
const PAGE_SIZE = 200;

interface ScriptedOptions {
  readonly script: Script;
  readonly features?: NonNullable<ServerConfig["features"]>;
  readonly now: () => Date;
  readonly newId: () => string;
}

/**
 * A transport without a network, for tests and for work on the view.
 *
 * @example
 * const transport = createScriptedTransport({ script: { threads: [], messages: {}, onRun: (run) => run.done() }, now, newId });
 */
export function createScriptedTransport(options: ScriptedOptions): Transport {
  const { script, now, newId } = options;
  const {
    resume = false,
    cancel = false,
    upload = false,
    branch = false,
    erase = false,
    clientTools,
    approvals,
    feedback = false,
    restore = false,
  } = options.features ?? {};
  const archived = new Map<string, Thread>();
  const before = async (call: string, ...args: readonly unknown[]) => script.before?.(call, ...args);
  const change = (threadId: string, changed: (thread: Thread) => readonly Thread[]) => {
    script.threads = script.threads.flatMap((thread) => (thread.threadId === threadId ? changed(thread) : [thread]));
  };
  const begin = (run: Omit<Channel, keyof ScriptedControls | "stream">): RunStream => {
    const channel = openChannel(run);
    script.onRun?.(channel);
    return channel.stream;
  };
  const transport: Transport = {
    listThreads: async (page) => {
      await before("listThreads", page);
      if (page && "query" in page) return threadsWith(script, page.query);
      if (!resume) return script.threads;
      // As on our server, the start is the listed date, or the date of the thread `before`.
      const from = page?.at ?? script.threads.find(({ threadId }) => threadId === page?.before)?.updatedAt;
      const isAfter = ({ threadId, updatedAt }: Thread) =>
        from === undefined || updatedAt < from || (updatedAt === from && threadId < (page?.before ?? ""));
      return script.threads.filter(isAfter).slice(0, PAGE_SIZE);
    },
    createThread: async () => {
      await before("createThread");
      const thread: Thread = { threadId: newId(), updatedAt: now().toISOString() };
      script.threads = [thread, ...script.threads];
      return thread;
    },
    listMessages: async (threadId) => {
      await before("listMessages", threadId);
      return script.messages[threadId] ?? [];
    },
    renameThread: async (threadId, title) => {
      await before("renameThread", threadId, title);
      change(threadId, (thread) => [{ ...thread, title }]);
    },
    archiveThread: async (threadId) => {
      await before("archiveThread", threadId);
      change(threadId, (thread) => {
        archived.set(threadId, thread);
        return [];
      });
    },
    startRun: async (threadId, request, signal, onSent) => {
      onSent?.(true);
      await before("startRun", threadId, request);
      return begin({ threadId, request, signal });
    },
    resolveUrl: (url) => new URL(url, "https://backend.example/").href,
  };
  return {
    ...transport,
    ...(resume && {
      joinRun: async (threadId, after, signal) => {
        await before("joinRun", threadId, after);
        if (script.joinable?.(threadId, after) === false) return undefined;
        return begin({ threadId, signal, ...(after === undefined ? {} : { after }) });
      },
    }),
    ...(restore && {
      restoreThread: async (threadId) => {
        await before("restoreThread", threadId);
        const thread = archived.get(threadId);
        if (!thread) throw new HttpError("", { status: 404 });
        script.threads = [...script.threads, thread];
        archived.delete(threadId);
        return thread;
      },
    }),
    ...(erase && { eraseVisitor: () => before("eraseVisitor") }),
    ...(cancel && { cancelRun: (threadId) => before("cancelRun", threadId) }),
    ...((clientTools || approvals) && {
      answerTool: (threadId, answer) => before("answerTool", threadId, answer),
    }),
    ...(branch && {
      selectBranch: (threadId, messageId) => before("selectBranch", threadId, messageId),
    }),
    ...(feedback && {
      sendFeedback: (threadId, messageId, given) => before("sendFeedback", threadId, messageId, given),
    }),
    ...(upload && {
      uploadAttachment: async (threadId, file, given) => {
        await before("uploadAttachment", threadId, file, given);
        given.onProgress(1);
        return attachmentOf(newId(), file);
      },
    }),
  } satisfies Transport;
}

/** The threads whose title or messages contain all words of a query. */
function threadsWith({ threads, messages }: Script, query: string): readonly Thread[] {
  const words = query.toLowerCase().split(/\s+/);
  const hasWords = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  return threads.flatMap((thread) => {
    const match = (messages[thread.threadId] ?? []).map((message) => textOf(message)).find(hasWords);
    return match !== undefined || hasWords(thread.title ?? "") ? { ...thread, ...(match && { match }) } : [];
  });
}

interface ScriptedControls {
  readonly emit: ScriptedRun["emit"];
  readonly done: () => void;
  readonly close: () => void;
  readonly fail: (error: Error) => void;
}

interface Channel extends ScriptedRun {
  readonly stream: RunStream;
}

/** Opens a stream with its writer. Written events are buffered until they are read. */
function openChannel(run: Omit<Channel, keyof ScriptedControls | "stream">): Channel {
  const said: (StreamFrame | { readonly end: boolean } | { readonly error: Error })[] = [];
  let wake: () => void = () => undefined;
  const say = (...more: typeof said) => {
    said.push(...more);
    wake();
  };
  async function* read(): RunStream {
    for (;;) {
      const next = said.shift();
      if (run.signal.aborted) throw new DOMException("The run was aborted.", "AbortError");
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if ("end" in next) {
        return next.end;
      } else if ("error" in next) {
        throw next.error;
      } else {
        yield next;
      }
    }
  }
  run.signal.addEventListener("abort", () => wake());
  return {
    ...run,
    stream: read(),
    emit: (events, seq) =>
      say(...events.map((event, index) => (seq === undefined ? { event } : { event, id: `run:${seq + index}` }))),
    done: () => say({ end: true }),
    close: () => say({ end: false }),
    fail: (error) => say({ error }),
  };
}

function attachmentOf(id: string, file: File): Attachment {
  const { name, type: contentType, size } = file;
  return { id, type: attachmentTypeOf(contentType), name, contentType, size, url: `api/debug/attachments/${id}` };
}
