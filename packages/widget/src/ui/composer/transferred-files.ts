/**
 * The files that the visitor means to paste. Office programs add a picture of the copied text: then the text is pasted and no
 * file. File managers add the names of the files as text: then the files are pasted.
 *
 * @example
 * // text "Revenue\t120" and a file «image.png»                      → no file
 * // text "file:///home/anna/report.pdf" and a file «report.pdf»     → that file
 */
export function pastedFiles(data: Pick<DataTransfer, "files" | "getData">): readonly File[] {
  const files = [...data.files];
  const text = data.getData("text/plain").trim();
  if (text === "") return files;
  const names = new Set(files.map((file) => file.name));
  const areNames = text.split(/\r?\n/).every((line) => names.has(line.slice(line.lastIndexOf("/") + 1).trim()));
  return areNames ? files : [];
}

/** Whether the data dragged over the page contains files. */
export function hasFiles(data: Pick<DataTransfer, "types"> | null): boolean {
  return data?.types.includes("Files") ?? false;
}
