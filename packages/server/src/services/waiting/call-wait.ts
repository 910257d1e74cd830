import type { CallDecision, NewAwaitedCall, StoredAwaitedCall } from "../../storage/awaited-calls.ts";

/** The wait of a run for the answer to one tool call. The database decides which answer counts: see `RunWaits`. */
export class CallWait {
  readonly call: NewAwaitedCall;
  /** Resolves when the visitor has allowed the page's tool. It may never. */
  readonly allowed: Promise<void>;
  /** Rejects when the run is over first. */
  readonly decided: Promise<CallDecision>;
  readonly #allow = Promise.withResolvers<void>();
  readonly #decide = Promise.withResolvers<CallDecision>();
  readonly #timer: NodeJS.Timeout;

  /**
   * @param waitMs how long the visitor has
   * @param onLate called when that time is over
   */
  constructor(call: NewAwaitedCall, waitMs: number, onLate: () => void) {
    this.call = call;
    this.allowed = this.#allow.promise;
    this.decided = this.#decide.promise;
    // The model may be gone when the run is over.
    this.decided.catch(() => undefined);
    this.#timer = setTimeout(onLate, waitMs).unref();
  }

  /** Takes what is stored of the call. Returns how the wait has ended; `undefined` while it goes on. */
  update({ allowed, decided }: StoredAwaitedCall): CallDecision["type"] | undefined {
    if (allowed) this.#allow.resolve();
    if (!decided) return undefined;
    clearTimeout(this.#timer);
    this.#decide.resolve(decided.decision);
    return decided.decision.type;
  }

  /** The run is over: nobody waits any more. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#decide.reject(new Error("The run is over"));
  }
}
