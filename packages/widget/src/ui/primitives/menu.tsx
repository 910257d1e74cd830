import { useId, useRef, useState } from "react";
import type { ComponentProps, KeyboardEvent, ReactNode } from "react";
import { focusedIn } from "./focus.ts";
import { Icon } from "./icon.tsx";
import { IconButton } from "./icon-button.tsx";
import { inNewTab } from "./outward-link.tsx";
import { placePopover } from "./place-popover.ts";

export interface MenuChoice {
  readonly id: string;
  readonly name: string;
}

/** An action of a menu. With `href` it is a link that opens a new tab. */
export interface MenuAction extends MenuChoice {
  readonly href?: string | undefined;
}

/**
 * A button with three dots that opens a menu of actions.
 *
 * @param onOpen called when the menu opens, so that the code of its actions can load
 */
export function ActionMenu({
  label,
  actions,
  onAct,
  onOpen,
}: {
  readonly label: string;
  readonly actions: readonly MenuAction[];
  readonly onAct: (id: string, trigger: Element) => void;
  readonly onOpen: () => void;
}) {
  const { id, trigger, list, open, close, triggerProps, listProps } = useMenu("end", onOpen);
  return (
    <>
      <IconButton
        {...triggerProps}
        ref={trigger}
        icon="M4.2 10a.6.6 0 1 0 1.2 0a.6.6 0 1 0-1.2 0M9.4 10a.6.6 0 1 0 1.2 0a.6.6 0 1 0-1.2 0M14.6 10a.6.6 0 1 0 1.2 0a.6.6 0 1 0-1.2 0"
        label={label}
        data-tooltip={open ? undefined : label}
      />
      <div {...listProps} ref={list} id={id} className="menu" role="menu" tabIndex={-1} aria-label={label}>
        {actions.map(({ id: actionId, name, href }) => {
          const props = { role: "menuitem", tabIndex: -1, className: "menu-item" };
          return href === undefined ? (
            <button
              {...props}
              key={actionId}
              type="button"
              onClick={(event) => {
                close();
                onAct(actionId, trigger.current ?? event.currentTarget);
              }}
            >
              {name}
            </button>
          ) : (
            <a {...inNewTab} {...props} key={actionId} href={href} onClick={close}>
              {name}
            </a>
          );
        })}
      </div>
    </>
  );
}

/**
 * A button that opens a menu of choices, one of which is checked. Arrows, Home, End and first letters move the focus; Escape
 * and Tab close the menu (WAI-ARIA Authoring Practices, «Menu Button Pattern»).
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
  readonly onChoose: (id: string, item: Element) => void;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const { id, trigger, list, close, triggerProps, listProps } = useMenu("start");
  return (
    <>
      <button {...triggerProps} ref={trigger} type="button" className={`menu-trigger ${className}`}>
        {children}
        <Icon name="chevron-down" />
      </button>
      <div {...listProps} ref={list} id={id} className="menu" role="menu" tabIndex={-1} aria-label={label}>
        {choices.map((choice) => (
          <button
            key={choice.id}
            type="button"
            role="menuitemradio"
            aria-checked={choice.id === chosenId}
            tabIndex={-1}
            className="menu-item"
            onClick={(event) => {
              close();
              onChoose(choice.id, event.currentTarget);
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

/** The behaviour that a button and its menu share, whatever the menu contains. */
function useMenu(align: "start" | "end", onOpen?: () => void) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  const close = () => {
    list.current?.hidePopover();
    trigger.current?.focus();
  };
  const triggerProps: ComponentProps<"button"> = {
    "aria-haspopup": "menu",
    "aria-expanded": open,
    "aria-controls": id,
    popoverTarget: id,
    onKeyDown(event) {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      list.current?.showPopover();
    },
  };
  const listProps: ComponentProps<"div"> = {
    popover: "auto",
    onToggle(event) {
      const opens = event.newState === "open";
      setOpen(opens);
      if (!opens || !list.current || !trigger.current) return;
      onOpen?.();
      placePopover(list.current, trigger.current, { side: "below", align });
      const items = itemsOf(list.current);
      (items.find((item) => item.ariaChecked === "true") ?? items[0])?.focus();
    },
    onKeyDown(event) {
      if (event.key === "Tab" || event.key === "Escape") {
        if (event.key === "Escape") event.preventDefault();
        close();
      } else if (list.current) moveFocus(list.current, event);
    },
  };
  return { id, trigger, list, open, close, triggerProps, listProps };
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
  return [...list.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
}
