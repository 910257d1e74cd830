/** Copies a text to the clipboard. Rejects if the browser does not allow it. */
export async function copyText(text: string): Promise<void> {
  // A page without TLS has no `navigator.clipboard`, and a permissions policy may forbid it: `execCommand` still works.
  const copied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (!copied && !copyByCommand(text)) throw new Error("The browser does not let this page write to the clipboard.");
}

function copyByCommand(text: string): boolean {
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("copy", onCopy, { capture: true });
  try {
    return document.execCommand("copy");
  } finally {
    document.removeEventListener("copy", onCopy, { capture: true });
  }
}
