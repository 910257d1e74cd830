import { useChat } from "../chat-context.tsx";

/** The checkbox of a task. The visitor cannot change it. */
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
