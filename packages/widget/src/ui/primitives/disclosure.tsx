import { useId, useState } from "react";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

/** A line that unfolds what is below it. Closed at the start. What is folded is not in the page. */
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
