import type { RefObject } from "react";
import { saveFile } from "../../browser/files.ts";
import { tableWords } from "../../i18n/table-words.ts";
import { COPY_FEEDBACK_MS } from "../../timings.ts";
import { useChat } from "../chat-context.tsx";
import { CopyIconButton } from "../primitives/copy-icon-button.tsx";
import { IconButton } from "../primitives/icon-button.tsx";
import { useFlash } from "../primitives/tooltips.tsx";
import { rowsOf, toCsv, toHtml, toTsv } from "./table-text.ts";

/** Copies a table for a spreadsheet or a letter, and saves it as a file. */
export function TableTools({ frame }: { readonly frame: RefObject<HTMLElement | null> }) {
  const { words, locale, signal } = useChat();
  const flash = useFlash();
  const texts = { ...tableWords[locale], ...words.table };
  const rows = () => rowsOf(frame.current?.querySelector("table"));
  // Without the byte order mark Excel reads the file in the system's own encoding.
  const save = () => saveFile(`${texts.name}.csv`, "text/csv", `\uFEFF${toCsv(rows())}`, signal);
  return (
    <div className="table-tools">
      <CopyIconButton
        text={() => toTsv(rows())}
        html={() => toHtml(rows())}
        label={texts.copy}
        copied={words.message.copied}
        shownMs={COPY_FEEDBACK_MS}
        onOutcome={(button, told) => flash(button, told, COPY_FEEDBACK_MS)}
      />
      <IconButton icon="M10 3v9.5M6 9l4 4 4-4M4 16.5h12" label={texts.save} onClick={save} />
    </div>
  );
}
