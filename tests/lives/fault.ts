/** Every error that is injected has this text in its message, so that a line of the log can be told from a real one. */
export const INJECTED = "an injected fault";

/** What happens to the `nth` call of its place, on any instance. */
export interface Fault {
  readonly where: "storage" | "files" | "model" | "mcp" | "wire";
  readonly call: string;
  readonly nth: number;
  /**
   * - `refused`: it is away, and nothing is done. `broken`: it can be reached and fails.
   * - `lost`: it is done, and its answer is lost; on the wire the connection is lost too. `late`: it is done, and the answer
   *   is that it took too long.
   * - `slow`: it takes `ms`. `hung`: it is refused after `ms`.
   * - `death`: the instance dies before it. `late death`: it dies after it, before it has the answer.
   */
  readonly how: "refused" | "broken" | "lost" | "late" | "slow" | "hung" | "death" | "late death";
  readonly ms: number;
}

export function describeFault({ where, call, nth, how, ms }: Fault): string {
  return `${where} ${call} #${nth} ${how}${how === "slow" || how === "hung" ? ` ${ms} ms` : ""}`;
}
