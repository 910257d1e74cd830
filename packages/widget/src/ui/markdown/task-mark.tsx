import { useChat } from "../chat-context.tsx";

/** The box of a task: it shows, and is not for the visitor to tick. */
export function TaskMark({ checked }: { readonly checked: boolean }) {
  const { words } = useChat();
  return (
    <input
      type="checkbox"
      className="task-mark"
      checked={checked}
      disabled
      aria-label={checked ? words.markdown.taskDone : words.markdown.taskOpen}
    />
  );
}
