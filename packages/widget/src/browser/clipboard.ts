/** Puts a text on the clipboard. Rejects when the browser does not let us. */
export async function copyText(text: string): Promise<void> {
  // Pages without TLS have no clipboard but the old one; a page's policy may forbid the new one.
  const copied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (!copied && !copyTheOldWay(text)) throw new Error("The browser does not let this page write to the clipboard.");
}

function copyTheOldWay(text: string): boolean {
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("copy", put, { capture: true });
  try {
    return document.execCommand("copy");
  } finally {
    document.removeEventListener("copy", put, { capture: true });
  }
}
