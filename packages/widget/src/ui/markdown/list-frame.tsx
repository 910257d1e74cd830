import type { ReactNode } from "react";

/** A list without its items. */
export function ListFrame({
  ordered,
  start,
  loose,
  children,
}: {
  readonly ordered: boolean;
  readonly start: number | undefined;
  readonly loose: boolean;
  readonly children: ReactNode;
}) {
  if (!ordered) return <ul data-loose={loose || undefined}>{children}</ul>;
  return (
    <ol start={start === 1 ? undefined : start} data-loose={loose || undefined}>
      {children}
    </ol>
  );
}
