import { MissingCode } from "../primitives/failure-note.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import { loadToolCalls } from "./load-tool-calls.ts";
import type { PartOf, PartPlace, PartView } from "./part-view.ts";

/** Tool calls. Their views load with the first. */
export const toolCallPart: PartView<"tool-call"> = { each: LazyToolCall };

function LazyToolCall(props: { readonly part: PartOf<"tool-call">; readonly place: PartPlace }) {
  const { value, error, retry } = useLoaded(loadToolCalls);
  return value ? <value.ToolCallView {...props} /> : error ? <MissingCode onRetry={retry} /> : null;
}
