/** How often and how long, in milliseconds. The defaults keep what the documentation promises; tests shorten them. */
export interface Timings {
  /** Silence of a stream after which a ping is sent. */
  readonly pingMs: number;
  /** For how long bytes are joined before they are written to a reader. */
  readonly writeMs: number;
  /** Between two checkpoints of an answer. */
  readonly checkpointMs: number;
  readonly heartbeatMs: number;
  /** Age of an instance's last heartbeat from which its runs count as interrupted. */
  readonly staleMs: number;
  /** For how long a reader may take nothing before it is dropped. */
  readonly slowReaderMs: number;
  /** For how long `finish` waits for the first title. */
  readonly titleBeforeFinishMs: number;
  /** For how long `[DONE]` waits for it after that; then the question's own words make the title. */
  readonly titleMs: number;
  /** For how long a closing server lets its runs go on before it parks them, unless `close` says otherwise. */
  readonly graceMs: number;
}

export const defaultTimings: Timings = {
  pingMs: 15_000,
  writeMs: 16,
  checkpointMs: 15_000,
  heartbeatMs: 2_000,
  staleMs: 7_000,
  slowReaderMs: 15_000,
  titleBeforeFinishMs: 1_000,
  titleMs: 4_000,
  graceMs: 2_000,
};
