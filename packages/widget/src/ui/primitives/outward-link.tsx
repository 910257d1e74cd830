import type { ComponentProps } from "react";

/** The attributes of a link that opens a new tab. Screen readers announce that with the text in shell.tsx. */
export const inNewTab = { target: "_blank", rel: "noopener noreferrer", "aria-describedby": "new-tab" } as const;

/** A link out of the chat, which opens in a new tab or saves a file. Without `href` it is plain text. */
export function OutwardLink({
  href,
  download,
  onClick,
  children,
  ...rest
}: {
  readonly href: string | undefined;
  readonly download?: string;
} & Pick<ComponentProps<"a">, "className" | "children" | "onClick" | "aria-describedby">) {
  if (href === undefined) return <span {...rest}>{children}</span>;
  return (
    <a {...inNewTab} {...rest} href={href} download={download} onClick={onClick}>
      {children}
    </a>
  );
}
