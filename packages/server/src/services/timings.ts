/** All durations of `services`, `routes` and `http`, with their reasons. `storage` and `model` have their own. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export const DAY_MS = 24 * HOUR_MS;
export const DAY_S = DAY_MS / SECOND_MS;

/** Durations in milliseconds. The defaults match the documentation; an option and tests can change them. */
export interface Timings {
  /** A stream that is silent for this long gets a ping, so that no proxy considers it dead. */
  readonly pingMs: number;
  /**
   * The bytes for a reader are gathered for this long, so that several events share a write. The first bytes are
   * written at once.
   */
  readonly writeMs: number;
  /**
   * The interval of an answer's checkpoints. A checkpoint serves histories that are read on other instances. After a
   * crash the answer comes from the event log.
   */
  readonly checkpointMs: number;
  /** The interval of an instance's heartbeats. */
  readonly heartbeatMs: number;
  /** The runs of an instance without a heartbeat for this long are interrupted. Three heartbeats may be lost. */
  readonly staleMs: number;
  /** A reader whose connection is full and accepts nothing for this long is cut off. */
  readonly slowReaderMs: number;
  /**
   * A client that uploads must send at least 64 KB, or the end of the body, in each interval of this length (3 KB/s),
   * or its request is ended.
   */
  readonly slowBodyMs: number;
  /** `finish` waits this long for a thread's first title, so that a quick title arrives before the answer's end. */
  readonly titleBeforeFinishMs: number;
  /** After `finish`, `[DONE]` waits this long for the title. Then the title is made from the words of the question. */
  readonly titleMs: number;
  /** After an answer, `[DONE]` waits this long for suggestions. Then the answer has none. */
  readonly followUpsMs: number;
  /** A closing server lets its runs continue for this long before it parks them, unless `close` gets another time. */
  readonly graceMs: number;
  /** The interval for deleting dropped files and the event logs of runs that ended long ago. */
  readonly sweepMs: number;
  /**
   * A deleted thread can be restored for this long. Its files are kept for a sixtieth longer, because the clocks of
   * instances differ.
   */
  readonly restoreMs: number;
  /** The time limit of the host's `admit`. After it, the request is accepted. */
  readonly admitMs: number;
  /**
   * The time limit of the host's `identify`. After it, the request fails, since it could be attributed to the wrong
   * visitor.
   */
  readonly identifyMs: number;
  /** The time limit of a webhook's receiver. */
  readonly webhookMs: number;
  /** The delays after each failed attempt to call a webhook. The last delay repeats. */
  readonly webhookRetriesMs: readonly number[];
  /** An event that could not be delivered for this long is abandoned. */
  readonly webhookPatienceMs: number;
}

/** The default durations. */
export const defaultTimings: Timings = {
  pingMs: 15 * SECOND_MS,
  writeMs: 16,
  checkpointMs: 15 * SECOND_MS,
  heartbeatMs: 2 * SECOND_MS,
  staleMs: 7 * SECOND_MS,
  slowReaderMs: 15 * SECOND_MS,
  slowBodyMs: 20 * SECOND_MS,
  titleBeforeFinishMs: SECOND_MS,
  titleMs: 4 * SECOND_MS,
  followUpsMs: 5 * SECOND_MS,
  graceMs: 2 * SECOND_MS,
  sweepMs: MINUTE_MS,
  restoreMs: HOUR_MS,
  admitMs: 2 * SECOND_MS,
  identifyMs: 5 * SECOND_MS,
  webhookMs: 15 * SECOND_MS,
  webhookRetriesMs: [5 * SECOND_MS, 30 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS],
  webhookPatienceMs: DAY_MS,
};

/** The seconds in `Retry-After`, after which a retry is likely to succeed. */
export const RETRY_AFTER_S = {
  /** Too many runs: most runs end within a few seconds. */
  run: 5,
  /** The byte budget is used up: most bodies and runs release their bytes within a few seconds. */
  bytes: 5,
  /** The database is unavailable: it fails over or restarts within seconds. */
  database: 5,
  /** The server is closing: another instance takes the question at once. */
  closing: 1,
  /** A limit of 0 per minute admits nothing. */
  never: 3_600,
} as const;

/** The two ends of an exponential backoff. */
interface Backoff {
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * Between attempts to append events while the database is unavailable. The events wait in memory, so the waits may be
 * long.
 */
export const APPEND_BACKOFF: Backoff = { firstMs: 100, lastMs: 2 * SECOND_MS };

/** Between attempts to store a run's end. The reader waits for it, so the longest wait is shorter. */
export const END_BACKOFF: Backoff = { firstMs: 100, lastMs: SECOND_MS };

/**
 * Between attempts to read the data of a request to the model, and to store its files and its calls that wait for the
 * visitor, while the database or the store of files is unavailable.
 */
export const READ_BACKOFF: Backoff = { firstMs: 100, lastMs: 2 * SECOND_MS };

/** Between attempts to read whether a tool call was answered, while the database is unavailable. */
export const WAIT_RETRY_MS = SECOND_MS;

/** Between attempts to read the event log for a reader that is behind, while the database is unavailable. */
export const CATCH_UP_RETRY_MS = SECOND_MS;

/** Before each retry to store the tokens of a request to a model. After the last retry the tokens are abandoned. */
export const USAGE_RETRIES_MS: readonly number[] = [250, SECOND_MS, 4 * SECOND_MS, 15 * SECOND_MS];

/** How long a closing server waits for tokens to be stored. */
export const SETTLE_USAGE_MS = 2 * SECOND_MS;

/** How long a closing server waits for the ends of its parked runs to be stored. */
export const PARK_MS = 5 * SECOND_MS;

/** The interval of the checks for silent runs and for due checkpoints. */
export const RUN_CHECK_MS = 500;

/** Our models enforce `upstreamIdleMs` themselves. A run whose model does not is stopped this much later. */
export const IDLE_SLACK_MS = SECOND_MS;

/** How long a tool or our own storage may take while the upstream is silent. */
export const WORK_IDLE_MS = 10 * MINUTE_MS;

/** How long a run waits for a failed model to close, since it may report tokens then. */
export const MODEL_CLOSE_MS = SECOND_MS;

/** How long a run waits for memory for its files: other runs release theirs within a few seconds. */
export const FILE_ROOM_MS = 10 * SECOND_MS;

/**
 * The longest wait of a tool call for its visitor, whatever the project sets: a waiting run keeps its place and its
 * memory.
 */
export const MAX_TOOL_WAIT_MS = 24 * HOUR_MS;

/** The longest interval between checks for silent readers: a ping may be late by this much. */
export const PING_CHECK_MS = SECOND_MS;

/** How long a cancel waits for the run's end to be stored before it fails with 503. */
export const CANCEL_MS = 5 * SECOND_MS;

/**
 * The polling interval for a title and suggestions that come after a run's end, for a reader on another instance: they
 * are in no log.
 */
export const AFTER_END_POLL_MS = 200;

/** After a late heartbeat the next one follows after this time: the late one may have hung on a broken connection. */
export const BEAT_RETRY_MS = 100;

/**
 * After an outage an instance waits for this many times `staleMs` before it interrupts runs of other instances: they
 * may reach the database later than it does. A new instance waits for `staleMs` once, since the runs of its predecessor
 * must end soon.
 */
export const STALE_AFTER_OUTAGE = 2;

/** A readiness probe gets its response within this time: load balancers do not wait longer. */
export const READY_PING_MS = 2 * SECOND_MS;

/** One ping of the database serves all readiness probes within this time. */
export const READY_FRESH_MS = SECOND_MS;

/**
 * After this much time spent on a response in pieces, other requests get a turn: a database in this process would
 * otherwise be queried without a pause.
 */
export const PIECES_TURN_MS = 5;

/** The log sums up refusals at this interval. */
export const REFUSALS_MS = MINUTE_MS;

/**
 * One query of the database's figures serves all scrapes within this time: the table sizes require a look at each of
 * its files.
 */
export const FIGURES_FRESH_MS = MINUTE_MS;

/** How long a scrape waits for these figures. */
export const FIGURES_WAIT_MS = 2 * SECOND_MS;

/** The longest duration of an upload. After it, the reserved room expires. */
export const UPLOAD_MS = HOUR_MS;

/** The interval of reading the usage of a project that is far from its budget. */
export const PROJECT_TOKENS_FRESH_MS = 2 * SECOND_MS;

/** The ages at which housekeeping drops data, and the interval of checking for data that expires in days. */
export const HOUSEKEEPING = {
  rarelyMs: HOUR_MS,
  /** The age of an ended run's event log: it serves readers that rejoin late. Later readers get the stored answer. */
  logMs: 5 * MINUTE_MS,
  /** The age of uploads that were not sent with a question. */
  unsentMs: DAY_MS,
  /** The age of visitors' usage: enough for a report on a whole year. The sums of projects are kept. */
  usageDays: 400,
  /**
   * The pause after each part: this many times the duration of the part, up to a limit. Visitors need the database too.
   */
  pauses: 3,
  longestPauseMs: 10 * SECOND_MS,
} as const;

/** The limits and intervals of webhook calls. */
export const WEBHOOKS = {
  /** The most concurrent calls of one webhook. The events of one thread are sent one after the other. */
  callsAtOnce: 8,
  /** The interval at which an instance looks for due events. */
  lookMs: SECOND_MS / 2,
  /**
   * The same interval until the instance's first heartbeat, which other instances must see before it claims anything.
   */
  aliveMs: SECOND_MS / 20,
  /** Between attempts to store the result of a call, while the database is unavailable. */
  storeRetryMs: SECOND_MS,
  /**
   * The interval of looking for old events whose webhook is no longer in any project, so that no sender abandons them.
   */
  expireMs: HOUR_MS,
  /** The log sums up abandoned events, and the changes of a receiver's state, at this interval. */
  sumMs: HOUR_MS,
  /** The changes of a receiver's state that have a line each in that interval. Later ones are counted. */
  stateLines: 10,
  /** Events without a sender are abandoned this much later than a sender would abandon them. */
  slackMs: HOUR_MS,
  /**
   * How long a closing server waits for calls in progress. The next start, or another instance, makes the remaining
   * calls.
   */
  closeMs: SECOND_MS,
} as const;

/** The sampling interval of the event loop's delay. A shorter block is not seen. */
export const LOOP_SAMPLE_MS = 10;

/** The validity of a visitor's token. The widget gets a new one with each config. */
export const TOKEN_MS = 30 * DAY_MS;

/** The validity of a visitor's cookie in seconds: 400 days, the most that browsers allow (RFC 6265bis). */
export const COOKIE_S = 400 * DAY_S;
