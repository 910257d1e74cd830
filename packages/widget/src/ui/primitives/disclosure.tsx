import { useId, useState } from "react";
import type { ReactNode } from "react";
import { useChat } from "../chat-context.tsx";
import { Icon } from "./icon.tsx";

/** A heading that unfolds its content. It is folded at first, and folded content is not mounted. */
export function Disclosure({
  title,
  className = "",
  children,
}: {
  readonly title: ReactNode;
  readonly className?: string;
  readonly children: () => ReactNode;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <div className={`disclosure ${className}`} data-open={open || undefined}>
      <button
        type="button"
        className="disclosure-toggle"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon name="chevron-right" />
        {title}
      </button>
      {open && (
        <div id={id} className="disclosure-content">
          {children()}
        </div>
      )}
    </div>
  );
}

/** A button that unfolds the rest of a long text, and folds it again. */
export function FoldButton({ open, onToggle }: { readonly open: boolean; readonly onToggle: () => void }) {
  const { words } = useChat();
  return (
    <button type="button" className="link-button" aria-expanded={open} onClick={onToggle}>
      {open ? words.message.showLess : words.message.showAll}
    </button>
  );
}
