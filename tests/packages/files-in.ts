/** The files in which the compiler has found errors, in the order of the errors. */
export function filesIn(output: string): readonly string[] {
  const lines = output.split("\n").filter((line) => /\berror\b/.test(line));
  return lines.map((line) => /^(.+?)\(\d+,\d+\): error/.exec(line)?.[1] ?? line);
}
