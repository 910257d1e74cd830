const DARK = "(prefers-color-scheme: dark)";

/** The scheme in which a widget's element is shown. */
export function colorSchemeOf(host: Element): "light" | "dark" {
  const scheme = host.getAttribute("color-scheme");
  if (scheme === "light" || scheme === "dark") return scheme;
  return matchMedia(DARK).matches ? "dark" : "light";
}

/** Calls back when that scheme changes: the host has set another, or the visitor's system has one. Returns its stop. */
export function watchColorScheme(host: Element, onChange: () => void): () => void {
  let shown = colorSchemeOf(host);
  const compare = () => {
    const now = colorSchemeOf(host);
    if (now === shown) return;
    shown = now;
    onChange();
  };
  const media = matchMedia(DARK);
  const observer = new MutationObserver(compare);
  observer.observe(host, { attributeFilter: ["color-scheme"] });
  media.addEventListener("change", compare);
  return () => {
    observer.disconnect();
    media.removeEventListener("change", compare);
  };
}
