import type { ComponentProps } from "react";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon.tsx";

/** A button that shows an icon alone; `label` is its accessible name and its tooltip. */
export function IconButton({
  icon,
  label,
  className = "",
  ...rest
}: { readonly icon: IconName; readonly label: string } & Omit<ComponentProps<"button">, "children" | "aria-label">) {
  return (
    <button type="button" {...rest} className={`icon-button ${className}`} aria-label={label} data-tooltip={label}>
      <Icon name={icon} />
    </button>
  );
}
