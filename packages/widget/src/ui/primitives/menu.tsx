import { useId, useRef, useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { focusedIn } from "./focus.ts";
import { Icon } from "./icon.tsx";
import { placePopover } from "./place-popover.ts";

export interface MenuChoice {
  readonly id: string;
  readonly name: string;
}

/**
 * A button that opens a menu of choices, one of which is checked. Arrows, Home, End and first letters move the focus,
 * Escape and Tab close the menu (WAI-ARIA Authoring Practices, «Menu Button Pattern»).
 */
export function Menu({
  label,
  choices,
  chosenId,
  onChoose,
  className = "",
  children,
}: {
  readonly label: string;
  readonly choices: readonly MenuChoice[];
  readonly chosenId: string | undefined;
  readonly onChoose: (id: string) => void;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  const close = () => {
    list.current?.hidePopover();
    trigger.current?.focus();
  };
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={`menu-trigger ${className}`}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        popoverTarget={id}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          list.current?.showPopover();
        }}
      >
        {children}
        <Icon name="chevron-down" />
      </button>
      <div
        ref={list}
        id={id}
        className="menu"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        onToggle={(event) => {
          const opens = event.newState === "open";
          setOpen(opens);
          if (!opens || !list.current || !trigger.current) return;
          placePopover(list.current, trigger.current, { side: "below", align: "start" });
          const items = itemsOf(list.current);
          (items.find((item) => item.ariaChecked === "true") ?? items[0])?.focus();
        }}
        onKeyDown={(event) => {
          if (event.key === "Tab" || event.key === "Escape") {
            if (event.key === "Escape") event.preventDefault();
            close();
          } else if (list.current) moveFocus(list.current, event);
        }}
      >
        {choices.map((choice) => (
          <button
            key={choice.id}
            type="button"
            role="menuitemradio"
            aria-checked={choice.id === chosenId}
            tabIndex={-1}
            className="menu-item"
            onClick={() => {
              onChoose(choice.id);
              close();
            }}
          >
            <span className="menu-item-name">{choice.name}</span>
            <Icon name="check" />
          </button>
        ))}
      </div>
    </>
  );
}

function moveFocus(list: HTMLElement, event: KeyboardEvent): void {
  const items = itemsOf(list);
  const focused = focusedIn(list);
  const index = items.findIndex((item) => item === focused);
  const next = nextIndex(items, index, event.key);
  if (next === undefined) return;
  event.preventDefault();
  items[next]?.focus();
}

/** @param index of the focused item; -1 if none is */
function nextIndex(items: readonly HTMLElement[], index: number, key: string): number | undefined {
  if (key === "ArrowDown") return (index + 1) % items.length;
  if (key === "ArrowUp") return (Math.max(index, 0) - 1 + items.length) % items.length;
  if (key === "Home") return 0;
  if (key === "End") return items.length - 1;
  if (key.length !== 1 || key === " ") return undefined;
  const startsWithKey = (item: HTMLElement) => item.textContent.toLowerCase().startsWith(key.toLowerCase());
  const below = items.findIndex((item, place) => place > index && startsWithKey(item));
  const found = below === -1 ? items.findIndex(startsWithKey) : below;
  return found === -1 ? undefined : found;
}

function itemsOf(list: HTMLElement): readonly HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[role="menuitemradio"]')];
}
