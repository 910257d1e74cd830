import type { ModelRequest, VisitorIdentity } from "../../model/model.ts";
import type { Owner } from "../../storage/storage.ts";
import type { ReadyProject } from "../projects/ready-projects.ts";

/** What comes with a question, and is not stored. */
export interface QuestionContext {
  /** What the page shows, as JSON. */
  readonly pageContext: unknown;
  /** Who asks, as their credential says. */
  readonly asker: Pick<VisitorIdentity, "sub" | "anonymous" | "claims">;
}

/** The part of a request to a model that is about the moment of the question. */
export function contextOf(
  { pageContext, asker }: QuestionContext,
  { shareClaims }: Pick<ReadyProject, "shareClaims">,
  { owner, threadId }: { readonly owner: Owner; readonly threadId: string },
): Pick<ModelRequest, "pageContext" | "shownClaims" | "asker"> {
  return {
    ...(pageContext === undefined ? {} : { pageContext }),
    ...(shareClaims.length === 0 ? {} : { shownClaims: picked(asker.claims, shareClaims) }),
    asker: { ...asker, project: owner.projectId, thread: threadId },
  };
}

/** The characters of the data that the model is told with a question, for an estimate. */
export function contextChars({ pageContext, shownClaims }: Pick<ModelRequest, "pageContext" | "shownClaims">): number {
  return [pageContext, shownClaims].reduce<number>((sum, data) => sum + (JSON.stringify(data)?.length ?? 0), 0);
}

function picked(
  claims: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(claims, name) ? [[name, claims[name]]] : [])));
}
