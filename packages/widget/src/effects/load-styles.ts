import { STYLESHEET_RETRY_MS, STYLESHEET_TIMEOUT_MS } from "../timings.ts";

/**
 * Loads stylesheets, and resolves with whether they are there: what fails or takes long does not hold up the view. It is
 * asked for again until it is there.
 */
export async function loadStyles(load: () => Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  const ended = new AbortController();
  const loading = load();
  const isThere = await Promise.race([
    loading.then(
      () => true,
      () => false,
    ),
    wait(STYLESHEET_TIMEOUT_MS, AbortSignal.any([signal, ended.signal])).then(() => false),
  ]);
  ended.abort();
  if (!isThere) void keepLoading(loading, load, signal);
  return isThere;
}

async function keepLoading(first: Promise<unknown>, load: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  let loading = first;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      await loading;
      return;
    } catch {
      await wait(STYLESHEET_RETRY_MS[attempt] ?? STYLESHEET_RETRY_MS.at(-1), signal, true);
      if (!signal.aborted) loading = load();
    }
  }
}

/** Resolves after this long, when the signal aborts, and, if wanted, when the device is online again. */
function wait(ms: number | undefined, signal: AbortSignal, endsOnline = false): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (endsOnline) addEventListener("online", end);
  });
}
