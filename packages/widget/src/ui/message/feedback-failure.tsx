import type { Failure } from "../../store/state.ts";
import { useAnnounced } from "../primitives/announcer.tsx";
import { useFailureText } from "../use-failure-text.ts";

/** Why a rating or its reason could not be sent. */
export function FeedbackFailure({ title, failure }: { readonly title: string; readonly failure: Failure }) {
  const failureText = useFailureText();
  const text = `${title} ${failureText(failure)}`;
  useAnnounced(text);
  return <p className="feedback-failure">{text}</p>;
}
