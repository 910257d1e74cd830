/** Every injected error contains this text, so that its log line can be distinguished from a real error's. */
export const INJECTED = "an injected fault";

/** What happens to the `nth` call of its place, on any instance. */
export interface Fault {
  readonly where: "storage" | "files" | "model" | "mcp" | "wire";
  readonly call: string;
  readonly nth: number;
  /**
   * How the call fails.
   *
   * - `refused`: the service is unavailable and nothing is done. `broken`: it can be reached and fails.
   * - `lost`: the call is done and its answer is lost; on the wire the connection is lost too. `late`: the call is
   *   done, and the answer is a time-out.
   * - `slow`: the call takes `ms`. `hung`: it is refused after `ms`.
   * - `death`: the instance dies before the call. `late death`: it dies after the call, before it has the answer.
   */
  readonly how: "refused" | "broken" | "lost" | "late" | "slow" | "hung" | "death" | "late death";
  readonly ms: number;
}

export function describeFault({ where, call, nth, how, ms }: Fault): string {
  return `${where} ${call} #${nth} ${how}${how === "slow" || how === "hung" ? ` ${ms} ms` : ""}`;
}
