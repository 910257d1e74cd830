/** What goes on until it is stopped. */
export interface Stoppable {
  stop(): void;
}
