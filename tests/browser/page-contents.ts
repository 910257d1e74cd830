/**
 * The contents of a page as lines: its elements with their shadow roots and fields, its storage, title, address and history. It
 * runs in the page.
 */
export function pageContents(): string {
  const look = (root: Document | ShadowRoot): string => {
    const all = [...root.querySelectorAll("*")].filter((element) => !element.matches("script"));
    const inside = all.map((element) => [
      [...element.attributes].map(({ name, value }) => `${name}=${value}`),
      element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement ? element.value : "",
      [...element.childNodes].map((node) => (node instanceof Text ? node.data : "")),
      element.shadowRoot ? look(element.shadowRoot) : "",
    ]);
    return inside.flat(2).join("\n");
  };
  const stored = [localStorage, sessionStorage].flatMap((storage) => Object.entries(storage).flat());
  return [look(document), ...stored, document.title, location.href, JSON.stringify(history.state)].join("\n");
}
