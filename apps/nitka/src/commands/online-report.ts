/** What is found out by asking: lines for people, and whether everything answers as it should. */
export interface OnlineReport {
  readonly lines: readonly string[];
  readonly ok: boolean;
}
