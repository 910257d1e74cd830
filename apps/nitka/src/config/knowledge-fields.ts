import { resolve } from "node:path";
import { z } from "zod";
import { isHttpUrl } from "./field-forms.ts";

const address = z.string().refine(isHttpUrl, "an http or https address without a user and a password");
const pattern = z
  .string()
  .regex(/^[/*]/, "a pattern of path and query that begins with / or *, such as /help/*")
  .max(500);

const source = z
  .strictObject({
    sitemap: address.exactOptional(),
    pages: z.array(address).min(1).exactOptional(),
    folder: z.string().min(1).exactOptional(),
    url: address.exactOptional(),
    include: z.array(pattern).min(1).exactOptional(),
    exclude: z.array(pattern).min(1).exactOptional(),
  })
  .superRefine((fields, context) => {
    const kinds = [fields.sitemap, fields.pages, fields.folder].filter((each) => each !== undefined);
    const problem = (path: string[], message: string, input: unknown) =>
      context.addIssue({ code: "custom", path, message, input });
    if (kinds.length !== 1) problem([], "one of sitemap, pages and folder", fields);
    else if (fields.folder !== undefined && fields.url === undefined)
      problem(["url"], "the address under which the folder's files are published", undefined);
    else if (fields.folder === undefined && fields.url !== undefined)
      problem(["url"], "nothing here, since only a folder has a url", fields.url);
  });

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The field `knowledge` of a project. */
export const knowledge = z.strictObject({
  sources: z.array(source).min(1),
  every: z
    .string()
    .regex(/^[1-9]\d{0,4}[mhd]$/, 'a time in minutes, hours or days, such as "30m", "6h" or "7d"')
    .exactOptional(),
  embeddings: z.string().min(1).exactOptional(),
});

/** The sources of a project's pages, and how often they are read. */
export type KnowledgeFields = z.output<typeof knowledge>;

/** The fields with absolute paths for folders: the file has them relative to itself. */
export function withFolders(fields: KnowledgeFields, base: string): KnowledgeFields {
  return {
    ...fields,
    sources: fields.sources.map((each) =>
      each.folder === undefined ? each : { ...each, folder: resolve(base, each.folder) },
    ),
  };
}

/**
 * The milliseconds of `every`.
 *
 * @example everyMs("6h") // 21_600_000
 */
export function everyMs(every: string): number {
  return Number.parseInt(every, 10) * unitMs[every.at(-1) as keyof typeof unitMs];
}
