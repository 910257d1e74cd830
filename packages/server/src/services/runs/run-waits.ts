import type { AwaitedCallStorage, CallDecision, NewAwaitedCall } from "../../storage/awaited-calls.ts";
import { CallWait } from "../waiting/call-wait.ts";
import { describeError } from "../describe-error.ts";
import type { Log } from "../log.ts";
import { WAIT_RETRY_MS } from "../timings.ts";
import { oneAtATime } from "../waiting/one-at-a-time.ts";

export interface RunWaitsOptions {
  readonly calls: AwaitedCallStorage;
  readonly logger: Log;
  readonly clock: () => Date;
  /** Called when a wait has ended. */
  readonly onOver: (call: NewAwaitedCall, outcome: CallDecision["type"]) => void;
}

/**
 * The tool calls of a run that wait for the visitor. The database decides which answer counts, so a signal or a
 * time-out only triggers another read of the calls. While the database is unavailable the read is retried.
 */
export class RunWaits {
  readonly #runId: string;
  readonly #options: RunWaitsOptions;
  readonly #waits = new Set<CallWait>();
  readonly #retries = new Set<NodeJS.Timeout>();
  #isOver = false;

  constructor(runId: string, options: RunWaitsOptions) {
    this.#runId = runId;
    this.#options = options;
  }

  get size(): number {
    return this.#waits.size;
  }

  /** @param waitMs how long the visitor has to answer, in milliseconds */
  add(call: NewAwaitedCall, waitMs: number): CallWait {
    const wait = new CallWait(call, waitMs, () => void this.#expire(call));
    this.#waits.add(wait);
    return wait;
  }

  /** Reads the current state of the calls. Never rejects. Any number of calls during a read causes one more read. */
  readonly look = oneAtATime(() => this.#lookOnce());

  /** Cancels all waits, because the run has ended. Later answers are too late. */
  cancel(): void {
    this.#isOver = true;
    for (const timer of this.#retries) clearTimeout(timer);
    const at = this.#options.clock().toISOString();
    for (const wait of this.#waits) {
      wait.cancel();
      this.#over(wait, "cancelled");
      // While the database is unavailable the call stays open there. No answer finds it, since its run has ended.
      this.#options.calls.decide(wait.call, { type: "cancelled" }, { at }).catch(() => undefined);
    }
  }

  async #lookOnce(): Promise<void> {
    try {
      const stored = new Map((await this.#options.calls.answered(this.#runId)).map((call) => [call.toolCallId, call]));
      for (const wait of this.#waits) {
        const call = stored.get(wait.call.toolCallId);
        const outcome = call && wait.update(call);
        if (outcome === undefined) continue;
        this.#over(wait, outcome);
        // The answer contains the output from here on, cut to the limit of an event.
        this.#options.calls.dropOutput(wait.call).catch(() => undefined);
      }
    } catch (error) {
      this.#retry(error, () => this.look());
    }
  }

  async #expire(call: NewAwaitedCall): Promise<void> {
    try {
      await this.#options.calls.decide(call, { type: "expired" }, { at: this.#options.clock().toISOString() });
      await this.look();
    } catch (error) {
      this.#retry(error, () => this.#expire(call));
    }
  }

  #over(wait: CallWait, outcome: CallDecision["type"]): void {
    this.#waits.delete(wait);
    this.#options.onOver(wait.call, outcome);
  }

  #retry(error: unknown, again: () => Promise<void>): void {
    if (this.#isOver) return;
    this.#options.logger.warn({ runId: this.#runId, error: describeError(error) }, "tool calls could not be looked up");
    const timer = setTimeout(() => {
      this.#retries.delete(timer);
      void again();
    }, WAIT_RETRY_MS);
    this.#retries.add(timer.unref());
  }
}
