import type { ComponentProps } from "react";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon.tsx";

/** A button that shows an icon alone; `label` is its tooltip and, with what it is a button of, its accessible name. */
export function IconButton({
  icon,
  label,
  of,
  className = "",
  ...rest
}: { readonly icon: IconName; readonly label: string; readonly of?: string } & Omit<
  ComponentProps<"button">,
  "children" | "aria-label"
>) {
  return (
    <button
      type="button"
      {...rest}
      className={`icon-button ${className}`}
      aria-label={of ? `${label}: ${of}` : label}
      data-tooltip={label}
    >
      <Icon name={icon} />
    </button>
  );
}
