import type { CallDecision, NewAwaitedCall, StoredAwaitedCall } from "../../storage/awaited-calls.ts";

/** The wait of a run for the answer to one tool call. The database decides which answer counts: see `RunWaits`. */
export class CallWait {
  readonly call: NewAwaitedCall;
  /** Resolves when the visitor has allowed the page's tool, if they do. */
  readonly allowed: Promise<void>;
  /** Rejects when the run ends first. */
  readonly decided: Promise<CallDecision>;
  readonly #allow = Promise.withResolvers<void>();
  readonly #decide = Promise.withResolvers<CallDecision>();
  readonly #timer: NodeJS.Timeout;

  /**
   * @param waitMs how long the visitor has to answer, in milliseconds
   * @param onLate called after this time
   */
  constructor(call: NewAwaitedCall, waitMs: number, onLate: () => void) {
    this.call = call;
    this.allowed = this.#allow.promise;
    this.decided = this.#decide.promise;
    // Prevents an unhandled rejection: the model may be gone when the run ends.
    this.decided.catch(() => undefined);
    this.#timer = setTimeout(onLate, waitMs).unref();
  }

  /** Takes the stored state of the call. Returns how the wait ended; `undefined` while it continues. */
  update({ allowed, decided }: StoredAwaitedCall): CallDecision["type"] | undefined {
    if (allowed) this.#allow.resolve();
    if (!decided) return undefined;
    clearTimeout(this.#timer);
    this.#decide.resolve(decided.decision);
    return decided.decision.type;
  }

  /** Ends the wait, because the run has ended. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#decide.reject(new Error("The run is over"));
  }
}
