import type { ModelRequest, VisitorIdentity } from "../../model/model.ts";
import type { Owner } from "../../storage/storage.ts";
import type { ReadyProject } from "../projects/ready-projects.ts";

/** Data that comes with a question and is not stored. */
export interface QuestionContext {
  /** The state of the page, as JSON. */
  readonly pageContext: unknown;
  /** The visitor who asks, as identified by their credential. */
  readonly asker: Pick<VisitorIdentity, "sub" | "anonymous" | "claims">;
}

/** The part of a request to a model that describes the moment of the question. */
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

/** The number of characters of the data that accompanies a question, for an estimate. */
export function contextChars({ pageContext, shownClaims }: Pick<ModelRequest, "pageContext" | "shownClaims">): number {
  return [pageContext, shownClaims].reduce<number>((sum, data) => sum + (JSON.stringify(data)?.length ?? 0), 0);
}

function picked(
  claims: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(claims, name) ? [[name, claims[name]]] : [])));
}
