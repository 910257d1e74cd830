/** One instruction of a Dockerfile, such as `COPY` with its words. */
export interface Instruction {
  readonly name: string;
  readonly words: string;
}

/** A stage, from its `FROM` to the next one. */
export interface Stage {
  /** The name after `AS`. The last stage often has none. */
  readonly name: string | undefined;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile without line continuations. */
export function readDockerfile(text: string): readonly Stage[] {
  const stages: { name: string | undefined; base: string; instructions: Instruction[] }[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    if (line.endsWith("\\")) throw new Error(`Write this instruction on one line, which the test reads: ${line}`);
    const [, name = "", words = ""] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (name === "") throw new Error(`This line of the Dockerfile is no instruction: ${line}`);
    if (name === "FROM") {
      const [base = "", , as] = words.split(" ");
      stages.push({ name: as, base, instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, words });
  }
  return stages;
}

/** The exec form of `CMD` and of `HEALTHCHECK … CMD`: a list of words that no shell reads. */
export function commandOf(words: string): readonly string[] {
  return JSON.parse(words.slice(words.indexOf("["))) as readonly string[];
}
