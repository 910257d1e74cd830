import type { Suggestion } from "@nitka/protocol";
import { focusComposer } from "./focus.ts";

/** Questions as buttons. A press moves the focus to the composer. */
export function Suggestions({
  label,
  choices,
  onAsk,
}: {
  readonly label: string;
  readonly choices: readonly Suggestion[];
  readonly onAsk: (prompt: string) => void;
}) {
  return (
    <ul className="suggestions" aria-label={label}>
      {choices.map(({ title, prompt }) => (
        <li key={title}>
          <button
            type="button"
            className="suggestion"
            onClick={(event) => {
              focusComposer(event.currentTarget);
              onAsk(prompt);
            }}
          >
            {title}
          </button>
        </li>
      ))}
    </ul>
  );
}
