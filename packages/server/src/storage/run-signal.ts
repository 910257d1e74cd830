/**
 * `events`: the run's log has grown. `cancel`: its instance has to stop it. `answered`: the visitor has answered a tool call
 * that waits for them. `ended`: it is over.
 */
export interface RunSignal {
  readonly type: "events" | "cancel" | "answered" | "ended";
  readonly runId: string;
}
