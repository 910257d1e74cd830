/**
 * The files that a paste brings as such. Office programs put a picture beside the text that was copied: then the text is
 * meant, and there are none. File managers put the files' names there: then the files are meant.
 */
export function pastedFiles(data: Pick<DataTransfer, "files" | "getData">): readonly File[] {
  const files = [...data.files];
  const text = data.getData("text/plain").trim();
  if (text === "") return files;
  const names = new Set(files.map((file) => file.name));
  const areNames = text.split(/\r?\n/).every((line) => names.has(line.slice(line.lastIndexOf("/") + 1).trim()));
  return areNames ? files : [];
}

/** Whether something that is dragged over the page brings files. */
export function bringsFiles(data: Pick<DataTransfer, "types"> | null): boolean {
  return data?.types.includes("Files") ?? false;
}
