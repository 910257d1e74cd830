/** The conversations that operators read and the answers that they replay, each as a read-only thread. */
import { endingIn, pathTo } from "@nitka/protocol/branch";
import type { Attachment, Message, Thread } from "@nitka/protocol";
import { serializeEvent } from "@nitka/protocol/serialize-event";
import { ChatError } from "@nitka/server";
import type { DeskRun, Owner, Storage } from "@nitka/server";
import {
  createEventLoopTurns,
  endOf,
  notFound,
  replay,
  shownEvents,
  shownMessage,
  threadText,
  unprocessable,
  withFirstPiece,
} from "@nitka/server/desk-kit";
import type { Pieces } from "@nitka/server/desk-kit";
import type { DeskProjects } from "./desk-figures.ts";
import { pacedEvents } from "./paced-events.ts";
import type { Pace, PacedEvent } from "./paced-events.ts";
import { recordedEvents } from "./recording.ts";

/** A thread as the widget reads it. */
export interface DeskThread {
  /** The ids that identify it in the log. */
  readonly ids: Readonly<Record<string, string>>;
  readonly thread: Thread;
  /** The messages as the text of a JSON array. The end of the shown branch is last. */
  readonly messages: () => Promise<AsyncIterable<string>>;
  /** The events of its last answer, if that is replayed. */
  readonly events?: () => Promise<readonly PacedEvent[]>;
  readonly attachment?: (attachmentId: string) => Promise<{ readonly attachment: Attachment; readonly pieces: Pieces }>;
}

export interface DeskThreads {
  /**
   * A conversation, with everything that its visitor could see.
   *
   * @param answerId a message of the branch to show
   */
  conversation(threadId: string, answerId?: string): Promise<DeskThread>;
  /** The answer of a run as it was written: the conversation up to its question, followed by the answer's events. */
  run(runId: string): Promise<DeskThread>;
  /** The events of a run that has ended, as its readers got them. */
  events(runId: string): Promise<RunEvents>;
  /** A recording, with the name of its file. */
  recording(name: string, text: string): DeskThread;
}

export interface RunEvents {
  readonly run: DeskRun;
  readonly events: readonly string[];
  /** `log`: each event as it was sent. `answer`: made from the stored answer, because the log has been dropped. */
  readonly source: "log" | "answer";
}

export function createDeskThreads(storage: Storage, projects: DeskProjects): DeskThreads {
  const turns = createEventLoopTurns();

  function projectOf({ projectId }: Owner): DeskProjects[string] {
    const project = Object.hasOwn(projects, projectId) ? projects[projectId] : undefined;
    // Only the project's settings say which tools are hidden.
    if (!project) throw new ChatError("not_found", `The project ${projectId} is not in the settings.`);
    return project;
  }

  async function ofOwner(owner: Owner, threadId: string): Promise<Omit<DeskThread, "ids" | "messages">> {
    projectOf(owner);
    const thread = await storage.threads.find(owner, threadId);
    if (!thread) throw notFound("thread");
    const { title, updatedAt } = thread;
    return {
      thread: { threadId, updatedAt, ...(title !== undefined && { title }) },
      attachment: async (attachmentId) => {
        const found = await storage.attachments.find(owner, attachmentId);
        const pieces = found?.threadId === threadId && (await storage.attachments.read(owner, attachmentId));
        if (!found || !pieces) throw new ChatError("not_found", "There is no such attachment.");
        return { attachment: found.attachment, pieces };
      },
    };
  }

  async function readableRun(runId: string): Promise<DeskRun> {
    const found = await storage.desk.run(runId);
    if (!found || found.isArchived) throw new ChatError("not_found", "There is no such run.");
    projectOf(found.owner);
    if (found.run.status === "running") {
      throw unprocessable("The answer is still being written: replay it when it has ended.");
    }
    return found;
  }

  async function eventsOf(runId: string): Promise<RunEvents> {
    const found = await readableRun(runId);
    const { owner, run } = found;
    const { toolViews } = projectOf(owner);
    const answer = await storage.messages.find(owner, run.threadId, run.answerId);
    if (!answer) throw notFound("thread");
    const logged = await storage.events.read(runId, 0);
    // The last checkpoint stores the end, with the number of the log's last event.
    if (logged.length > 0 && logged.length === run.checkpointSeq) {
      const events = logged.flatMap(({ data }) => shownEvents(data));
      return { run: found, events: [...events, ...endOf(answer).map(serializeEvent)], source: "log" };
    }
    const events = replay(shownMessage(answer, toolViews)).map(serializeEvent).flatMap(inWords);
    return { run: found, events, source: "answer" };
  }

  return {
    async conversation(threadId, answerId) {
      const owner = await storage.desk.ownerOf(threadId);
      if (!owner) throw notFound("thread");
      const { toolViews } = projectOf(owner);
      return {
        ...(await ofOwner(owner, threadId)),
        ids: { projectId: owner.projectId, threadId },
        messages: async () => {
          const tree = await storage.messages.tree(owner, threadId);
          const shown = endingIn(tree, answerId ?? null);
          const running = () => [];
          return withFirstPiece(
            threadText(shown, { messages: storage.messages, owner, threadId, toolViews, running, turns }),
          );
        },
      };
    },

    async run(runId) {
      const found = await readableRun(runId);
      const { owner, run } = found;
      const { threadId, questionId, answerId } = run;
      const { toolViews } = projectOf(owner);
      return {
        ...(await ofOwner(owner, threadId)),
        ids: { projectId: owner.projectId, threadId, runId },
        messages: async () => {
          const tree = await storage.messages.tree(owner, threadId);
          const before = pathTo(tree, questionId);
          const read = await storage.messages.read(
            owner,
            threadId,
            before.map(({ id }) => id),
          );
          const asked = read.map((message) => shownMessage(message, toolViews));
          return jsonPieces([...asked, unwritten(answerId, questionId)]);
        },
        events: async () => {
          const { events } = await eventsOf(runId);
          return pacedEvents(events, paceOf(found));
        },
      };
    },

    events: eventsOf,

    recording(name, text) {
      const events = recordedEvents(text);
      if (!events)
        throw unprocessable("The file has no event of a stream: expected a recording, such as an exported .sse file.");
      const question: Message = { id: "recording", role: "user", content: name, parentId: null };
      return {
        ids: { recording: "file" },
        thread: { threadId: "recording", title: name, updatedAt: new Date(0).toISOString() },
        messages: async () => jsonPieces([question, unwritten("answer", question.id)]),
        events: async () => pacedEvents(events),
      };
    },
  };
}

/** An empty answer whose stream the widget joins. */
function unwritten(id: string, parentId: string): Message {
  return { id, role: "assistant", content: [], parentId, status: { type: "running" } };
}

function paceOf({ run: { startedAt, endedAt }, firstTokenMs }: DeskRun): Pace | undefined {
  if (endedAt === undefined) return undefined;
  const totalMs = Date.parse(endedAt) - Date.parse(startedAt);
  return { totalMs, firstMs: Math.min(firstTokenMs ?? 0, totalMs) };
}

async function* jsonPieces(messages: readonly Message[]): AsyncGenerator<string> {
  yield JSON.stringify(messages);
}

const PIECE_CHARS = 24;

/** Splits a text that is one event of a replay into pieces, as a model writes it. */
function inWords(data: string): readonly string[] {
  const event = JSON.parse(data) as { readonly type: string; readonly delta?: unknown };
  if (typeof event.delta !== "string" || event.delta.length <= PIECE_CHARS) return [data];
  const pieces = event.delta.match(new RegExp(`.{1,${PIECE_CHARS}}`, "gsu")) ?? [];
  return pieces.map((delta) => JSON.stringify({ ...event, delta }));
}
