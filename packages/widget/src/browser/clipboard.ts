/** Copies a text to the clipboard, together with the same content as HTML. Rejects if the browser does not allow it. */
export async function copyText(text: string, html?: string): Promise<void> {
  // A page without TLS has no `navigator.clipboard`, and a permissions policy may forbid it. `execCommand` still works there.
  if (await write(text, html)) return;
  if (!copyByCommand(text, html)) throw new Error("The browser does not let this page write to the clipboard.");
}

async function write(text: string, html: string | undefined): Promise<boolean> {
  try {
    const forms = { "text/plain": text, ...(html !== undefined && { "text/html": html }) };
    const blobs = Object.entries(forms).map(([type, content]) => [type, new Blob([content], { type })] as const);
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
    return true;
  } catch {
    return false;
  }
}

function copyByCommand(text: string, html: string | undefined): boolean {
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    if (html !== undefined) event.clipboardData?.setData("text/html", html);
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
