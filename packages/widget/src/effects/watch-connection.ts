/** Tells when the connection may be back: the device is online again, or the page returns from the browser's cache. */
export function watchConnection(onBack: () => void): () => void {
  const onPageShow = (event: PageTransitionEvent) => {
    if (event.persisted) onBack();
  };
  window.addEventListener("online", onBack);
  window.addEventListener("pageshow", onPageShow);
  return () => {
    window.removeEventListener("online", onBack);
    window.removeEventListener("pageshow", onPageShow);
  };
}
