import type { ComponentProps } from "react";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon.tsx";

/**
 * A button with only an icon. `label` is its tooltip and, together with the name of the thing that it acts on, its accessible
 * name.
 */
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
      data-tooltip={label}
      {...rest}
      className={`icon-button ${className}`}
      aria-label={of ? `${label}: ${of}` : label}
    >
      <Icon name={icon} />
    </button>
  );
}
