/** Holds timers, frames or other resources until it is stopped. */
export interface Stoppable {
  readonly stop: () => void;
}
