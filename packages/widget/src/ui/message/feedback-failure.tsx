import type { Failure } from "../../store/state.ts";
import { useFailureText } from "../use-failure-text.ts";

/** Why a rating or its reason could not be sent. */
export function FeedbackFailure({ title, failure }: { readonly title: string; readonly failure: Failure }) {
  const failureText = useFailureText();
  return (
    <p className="feedback-failure" role="alert">
      {title} {failureText(failure)}
    </p>
  );
}
