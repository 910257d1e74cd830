/** The response types of the desk's API. Its pages use them too: these types import nothing from the server. */
import type { Feedback, MessageStatus } from "@nitka/protocol";

/** A run in the desk's list. */
export interface RunFigures {
  readonly runId: string;
  readonly threadId: string;
  readonly answerId: string;
  readonly projectId: string;
  /** For `nitka export` and `nitka purge`. */
  readonly visitorId: string;
  readonly title?: string;
  readonly status: {
    readonly type: MessageStatus["type"];
    readonly reason?: string;
    readonly error?: string;
    readonly code?: string | undefined;
  };
  readonly startedAt: string;
  readonly durationMs?: number;
  readonly firstTokenMs?: number;
  readonly rejoins?: number;
  readonly modelId?: string;
  readonly tokens?: TokenFigures;
  readonly cost?: Cost;
  readonly feedback?: Feedback;
  /** Whether the conversation can be read: not after its visitor has deleted it. */
  readonly isReadable: boolean;
}

export interface RunPage {
  readonly runs: readonly RunFigures[];
  /** Where the next page begins; absent on the last page. */
  readonly next?: string;
}

/** The runs and the tokens of a project on a UTC day. */
export interface DayFigures extends TokenFigures {
  readonly day: string;
  readonly projectId: string;
  readonly runs: number;
  readonly errors: number;
  readonly cancelled: number;
  readonly interrupted: number;
  readonly rejoins: number;
  readonly up: number;
  readonly down: number;
  readonly firstTokenMs?: number;
  readonly cost?: Cost;
}

export interface TokenFigures {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

/** An amount in a project's currency. */
export interface Cost {
  readonly amount: number;
  readonly currency: string;
  /** The models that have tokens but no price: their tokens are not included in the amount. */
  readonly unpriced?: readonly string[];
}

/** A project in the desk's filters. */
export interface ProjectFigures {
  readonly id: string;
  readonly title?: string | undefined;
  readonly hasPrices: boolean;
}
