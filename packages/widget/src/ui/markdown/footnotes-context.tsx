import { createContext, use, useMemo } from "react";
import type { ReactNode } from "react";
import { noFootnotes } from "../../markdown/footnotes.ts";
import type { Footnotes } from "../../markdown/footnotes.ts";

/** The footnotes of a text, with the ids of a footnote and of the mark that leads to it. */
interface LinkedFootnotes extends Footnotes {
  readonly noteId: (label: string) => string;
  readonly markId: (label: string) => string;
}

const FootnotesContext = createContext(linkFootnotes(noFootnotes, ""));

export function FootnotesProvider({
  footnotes,
  idPrefix,
  children,
}: {
  readonly footnotes: Footnotes;
  /** Distinguishes the ids of this text from those of every other text. */
  readonly idPrefix: string;
  readonly children: ReactNode;
}) {
  const linked = useMemo(() => linkFootnotes(footnotes, idPrefix), [footnotes, idPrefix]);
  return <FootnotesContext value={linked}>{children}</FootnotesContext>;
}

function linkFootnotes(footnotes: Footnotes, idPrefix: string): LinkedFootnotes {
  return {
    ...footnotes,
    noteId: (label) => `footnote-${idPrefix}-${label}`,
    markId: (label) => `footnote-mark-${idPrefix}-${label}`,
  };
}

export function useFootnotes(): LinkedFootnotes {
  return use(FootnotesContext);
}
