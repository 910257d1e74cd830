import { serializeEvent } from "@nitka/protocol/serialize-event";
import type { FoundRun, Owner, Storage } from "../../storage/storage.ts";
import type { ActiveRun } from "./active-run.ts";
import type { ActiveRuns } from "./active-runs.ts";
import { describeError } from "../describe-error.ts";
import { followRun } from "./follow-run.ts";
import type { FrameSink } from "./frame-sink.ts";
import type { Log } from "../log.ts";
import type { ReadyProject } from "../projects/ready-projects.ts";
import { replay } from "./replay.ts";
import type { RunMetrics } from "../run-metrics.ts";
import { RunReader } from "./run-reader.ts";
import type { ReaderScheduler } from "./run-reader.ts";
import { notFound } from "../../chat-error.ts";
import type { Timings } from "../timings.ts";
import { shownMessage } from "../tools/tool-views.ts";

/** A run as a stream for a reader. */
export interface RunStream {
  readonly runId: string;
  /** @param options.withIds whether each event gets its `id:` line */
  serve(sink: FrameSink, options: { readonly withIds: boolean }): void;
}

export interface RunStreams {
  /** Reads a run that this process writes. */
  readActive(run: ActiveRun, project: ReadyProject, after?: number): RunStream;
  /**
   * Reads a run that this process writes, a run of another instance, or a run that has ended.
   *
   * @param run.threadTitle the current title of its thread
   * @param after the number of the last event that the reader has; 0 for none
   */
  readRun(owner: Owner, project: ReadyProject, run: FoundRun, after?: number): Promise<RunStream>;
}

export interface RunStreamsOptions {
  readonly storage: Storage;
  readonly activeRuns: ActiveRuns;
  readonly readerScheduler: ReaderScheduler;
  readonly logger: Log;
  readonly metrics: RunMetrics;
  readonly timings: Timings;
}

export function createRunStreams(options: RunStreamsOptions): RunStreams {
  const { storage, activeRuns, readerScheduler, logger, metrics, timings } = options;

  function streamOf(
    runId: string,
    { toolViews }: ReadyProject,
    after: number,
    serve: (reader: RunReader) => Promise<void>,
  ): RunStream {
    return {
      runId,
      serve(sink, { withIds }) {
        metrics.readerOpened();
        sink.onClose(() => metrics.readerClosed());
        const hidesTools = toolViews !== undefined;
        const reader = new RunReader(sink, readerScheduler, {
          after,
          hidesTools,
          runIdInIds: withIds ? runId : undefined,
        });
        serve(reader).catch((error: unknown) => {
          logger.error({ error: describeError(error), runId }, "a reader could not be served");
          reader.cutOff();
        });
      },
    };
  }

  function readActive(run: ActiveRun, project: ReadyProject, after = 0): RunStream {
    return streamOf(run.runId, project, after, (reader) => run.serve(reader, storage.events, timings.slowReaderMs));
  }

  async function readRun(owner: Owner, project: ReadyProject, run: FoundRun, after = 0): Promise<RunStream> {
    const active = activeRuns.find(run.runId);
    if (active) return readActive(active, project, after);
    if (run.status === "running") {
      return streamOf(run.runId, project, after, (reader) =>
        followRun(run, { untitled: !run.threadTitle, suggests: project.followUps }, reader, storage, timings),
      );
    }
    const answer = await storage.messages.find(owner, run.threadId, run.answerId);
    if (!answer) throw notFound("thread");
    return streamOf(run.runId, project, after, async (reader) => {
      for (const [index, event] of replay(shownMessage(answer, project.toolViews)).entries())
        reader.push(index + 1, serializeEvent(event));
      reader.end();
    });
  }

  return { readActive, readRun };
}
