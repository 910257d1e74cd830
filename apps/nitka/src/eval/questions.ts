import { z } from "zod";

const question = z.strictObject({
  question: z.string().min(1),
  urls: z.array(z.string().min(1)).min(1).exactOptional(),
  rank: z.number().int().min(1).max(50).exactOptional(),
  phrases: z.array(z.string().min(1)).min(1).exactOptional(),
  refuse: z.literal(true).exactOptional(),
});

/** A question with the properties of a good answer: a line of the file. */
export type EvalQuestion = z.output<typeof question>;

/** The questions of a file with one per line, or a sentence for each invalid line. */
export function parseQuestions(
  text: string,
): { readonly questions: readonly EvalQuestion[] } | { readonly problems: readonly string[] } {
  const problems: string[] = [];
  const questions = text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .flatMap((line, index) => {
      if (line.trim() === "") return [];
      const parsed = question.safeParse(jsonOf(line));
      if (parsed.success) return [parsed.data];
      const [issue] = parsed.error.issues;
      const where = issue?.path.join(".") ?? "";
      problems.push(
        `Line ${index + 1}${where === "" ? "" : `, ${where}`}: ${issue?.message ?? "expected an object"}. Expected { "question", "urls"?, "rank"?, "phrases"?, "refuse"? }.`,
      );
      return [];
    });
  if (problems.length === 0 && questions.length === 0) problems.push("The file has no question.");
  return problems.length > 0 ? { problems } : { questions };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** An address without its fragment. */
export function pageOf(url: string): string {
  return url.replace(/#.*$/s, "").replace(/\/$/, "");
}
