/** Every length of time of `services`, `routes` and `http`, with its reason. `storage` and `model` have their own. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export const DAY_MS = 24 * HOUR_MS;
export const DAY_S = DAY_MS / SECOND_MS;

/** In milliseconds. The defaults keep what the documentation promises; an option and tests change them. */
export interface Timings {
  /** A stream that was silent for this long gets a ping, so that no proxy takes it for dead. */
  readonly pingMs: number;
  /**
   * Bytes for one reader are gathered for this long before they are written: one write for several events. The first
   * ones are written at once.
   */
  readonly writeMs: number;
  /**
   * An answer that is being written is stored this often. The stored text serves histories that are read on other
   * instances; after a crash the answer comes from the event log.
   */
  readonly checkpointMs: number;
  /** Each instance stores its heartbeat this often. */
  readonly heartbeatMs: number;
  /** The runs of an instance whose last heartbeat is older are interrupted. Three heartbeats may be lost. */
  readonly staleMs: number;
  /** A reader whose connection is full and takes nothing for this long is cut off. */
  readonly slowReaderMs: number;
  /** Who sends a body must bring 64 KB, or the end, in each such time that the server waits for it: 3 KB a second. */
  readonly slowBodyMs: number;
  /** `finish` waits this long for a thread's first title, so that a quick one stands before the answer's end. */
  readonly titleBeforeFinishMs: number;
  /** After that `[DONE]` waits this long. Then the title is made from the question's words. */
  readonly titleMs: number;
  /** After an answer `[DONE]` waits this long for what to ask next. Then there is nothing. */
  readonly followUpsMs: number;
  /** A closing server lets its runs go on for this long before it parks them, unless `close` is given another time. */
  readonly graceMs: number;
  /** Files that were dropped, and event logs of runs that ended long ago, are deleted this often. */
  readonly sweepMs: number;
  /** A deleted thread can be restored for this long. Its files are kept for a sixtieth more: clocks of instances differ. */
  readonly restoreMs: number;
  /** The host's `admit` has this long. Then what it is asked about is taken. */
  readonly admitMs: number;
  /** The host's `identify` has this long. Then the request fails: it would be taken for another visitor's. */
  readonly identifyMs: number;
  /** A webhook's receiver must answer within this time. */
  readonly webhookMs: number;
  /** After each try that has failed it is told again after these times, and then after the last of them each time. */
  readonly webhookRetriesMs: readonly number[];
  /** What it was not told in this time is given up. */
  readonly webhookPatienceMs: number;
}

/** The times of a server that sets none. */
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

/** Seconds in `Retry-After`: after this long another try is likely to succeed. */
export const RETRY_AFTER_S = {
  /** Too many runs: most runs end within a few seconds. */
  run: 5,
  /** The byte budget is used up: most bodies and runs that hold it end within a few seconds. */
  bytes: 5,
  /** The database is away: it fails over or restarts in seconds. */
  database: 5,
  /** The server closes: another instance takes the question at once. */
  closing: 1,
  /** A limit of 0 per minute admits nothing. */
  never: 3_600,
} as const;

/** The two ends of an exponential backoff. */
interface Backoff {
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Between tries to append events while the database is away. They wait in memory, so there is time. */
export const APPEND_BACKOFF: Backoff = { firstMs: 100, lastMs: 2 * SECOND_MS };

/** Between tries to store a run's end. Its reader waits for it, so the last wait is shorter. */
export const END_BACKOFF: Backoff = { firstMs: 100, lastMs: SECOND_MS };

/**
 * Between tries to read what the model is to be sent, and to store its files and calls that wait for the visitor, while the
 * database or the store of files is away.
 */
export const READ_BACKOFF: Backoff = { firstMs: 100, lastMs: 2 * SECOND_MS };

/** Between tries to read whether a tool call was answered, while the database is away. */
export const WAIT_RETRY_MS = SECOND_MS;

/** Between tries to read the event log for a reader that is behind, while the database is away. */
export const CATCH_UP_RETRY_MS = SECOND_MS;

/** Before each further try to store the tokens of a request to a model. Then they are given up. */
export const USAGE_RETRIES_MS: readonly number[] = [250, SECOND_MS, 4 * SECOND_MS, 15 * SECOND_MS];

/** A closing server waits this long for tokens to be stored. */
export const SETTLE_USAGE_MS = 2 * SECOND_MS;

/** A closing server waits this long for the ends of its runs to be stored, after it has parked them. */
export const PARK_MS = 5 * SECOND_MS;

/** How often runs are checked for silence and for a due checkpoint. */
export const RUN_CHECK_MS = 500;

/** Models of ours watch their upstream for `upstreamIdleMs` themselves. A run is stopped this much later, where they do not. */
export const IDLE_SLACK_MS = SECOND_MS;

/** A tool, and our own storage, may take this long, although the upstream is silent meanwhile. */
export const WORK_IDLE_MS = 10 * MINUTE_MS;

/** A run whose model has failed waits this long for it to close, since it may report tokens then. */
export const MODEL_CLOSE_MS = SECOND_MS;

/** A run waits this long for memory for its files: other runs send theirs within a few seconds. */
export const FILE_ROOM_MS = 10 * SECOND_MS;

/** A tool call waits for its visitor this long at most, whatever the project says: a run keeps its place and its memory. */
export const MAX_TOOL_WAIT_MS = 24 * HOUR_MS;

/** How often readers are checked for silence, at most: a ping may be late by this. */
export const PING_CHECK_MS = SECOND_MS;

/** A cancel waits this long for the run's end to be stored before it fails with 503. */
export const CANCEL_MS = 5 * SECOND_MS;

/**
 * A title and suggestions that come after a run's end are in no log: for a reader on another instance they are read this
 * often.
 */
export const AFTER_END_POLL_MS = 200;

/** A heartbeat that was late is followed by the next one after this time: it may have hung on a broken connection. */
export const BEAT_RETRY_MS = 100;

/**
 * After an outage an instance waits for this many times `staleMs` before it interrupts runs of others: they may find the
 * database later than it does. A new instance waits `staleMs` alone, since the runs of its predecessor have to end soon.
 */
export const STALE_AFTER_OUTAGE = 2;

/** A readiness probe gets its response within this time: a load balancer waits no longer. */
export const READY_PING_MS = 2 * SECOND_MS;

/** One ping of the database serves every readiness probe of this time. */
export const READY_FRESH_MS = SECOND_MS;

/** After this long at a response in pieces others get a turn: a database in this process would be asked without a pause. */
export const PIECES_TURN_MS = 5;

/** Refusals of so long a time are summed up in the log. */
export const REFUSALS_MS = MINUTE_MS;

/** One query of the database's figures serves every scrape of this time: for the tables' sizes it looks at each of its files. */
export const FIGURES_FRESH_MS = MINUTE_MS;

/** A scrape waits this long for them. */
export const FIGURES_WAIT_MS = 2 * SECOND_MS;

/** An upload may take this long. The room that is reserved for it lapses then. */
export const UPLOAD_MS = HOUR_MS;

/** What a project far from its budget has used is read this often. */
export const PROJECT_TOKENS_FRESH_MS = 2 * SECOND_MS;

/** What housekeeping drops, and how often it looks for what expires in days. */
export const HOUSEKEEPING = {
  rarelyMs: HOUR_MS,
  /** Event logs of ended runs: for readers that rejoin late. Later readers get the stored answer. */
  logMs: 5 * MINUTE_MS,
  /** Uploads that no question was sent with. */
  unsentMs: DAY_MS,
  /** Usage of visitors: for a report of a whole year. The sums of projects are kept. */
  usageDays: 400,
  /** After each part it rests for this many times as long as the part took, and not longer: visitors need the database too. */
  pauses: 3,
  longestPauseMs: 10 * SECOND_MS,
} as const;

/** How webhooks are told. */
export const WEBHOOKS = {
  /** Calls of one webhook at one time: of one thread one after the other. */
  callsAtOnce: 8,
  /** How often an instance looks for what is due. */
  lookMs: SECOND_MS / 2,
  /** The same until its first heartbeat: what other instances must know before it claims anything. */
  aliveMs: SECOND_MS / 20,
  /** Between tries to store what has become of a call, while the database is away. */
  storeRetryMs: SECOND_MS,
  /** How often what was given up by nobody is looked for: its webhook is in no project any more. */
  expireMs: HOUR_MS,
  /** What was given up is summed up in the log this often. */
  sumMs: HOUR_MS,
  /** It is given up so much later than by those who send it. */
  slackMs: HOUR_MS,
  /** A closing server waits this long for calls. The next start, or another instance, makes the others. */
  closeMs: SECOND_MS,
} as const;

/** How often the event loop's delay is sampled. A shorter block is not seen. */
export const LOOP_SAMPLE_MS = 10;

/** A visitor's token is valid for this long. The widget gets another with each config. */
export const TOKEN_MS = 30 * DAY_MS;

/** A visitor's cookie is valid for this many seconds: 400 days, the most that browsers keep one (RFC 6265bis). */
export const COOKIE_S = 400 * DAY_S;
