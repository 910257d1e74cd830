import type { ComponentProps } from "react";

/** A link out of the chat, which opens in a new tab. Without a `href` it is plain text. */
export function OutwardLink({
  href,
  download,
  onClick,
  children,
  ...rest
}: {
  readonly href: string | undefined;
  readonly download?: string;
} & Pick<ComponentProps<"a">, "className" | "children" | "onClick">) {
  if (href === undefined) return <span {...rest}>{children}</span>;
  return (
    <a {...rest} href={href} download={download} onClick={onClick} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
