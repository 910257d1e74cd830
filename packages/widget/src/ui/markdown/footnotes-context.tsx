import { createContext, use, useMemo } from "react";
import type { ReactNode } from "react";
import { noFootnotes } from "../../markdown/footnotes.ts";
import type { Footnotes } from "../../markdown/footnotes.ts";

interface NumberedFootnotes extends Footnotes {
  readonly noteId: (label: string) => string;
  readonly markId: (label: string) => string;
}

const FootnotesContext = createContext<NumberedFootnotes>({
  ...noFootnotes,
  noteId: (label) => label,
  markId: (label) => label,
});

export function FootnotesProvider({
  footnotes,
  idPrefix,
  children,
}: {
  readonly footnotes: Footnotes;
  /** Sets the ids of this text apart from those of every other. */
  readonly idPrefix: string;
  readonly children: ReactNode;
}) {
  const numbered = useMemo<NumberedFootnotes>(
    () => ({
      ...footnotes,
      noteId: (label) => `footnote-${idPrefix}-${label}`,
      markId: (label) => `footnote-mark-${idPrefix}-${label}`,
    }),
    [footnotes, idPrefix],
  );
  return <FootnotesContext value={numbered}>{children}</FootnotesContext>;
}

export function useFootnotes(): NumberedFootnotes {
  return use(FootnotesContext);
}
