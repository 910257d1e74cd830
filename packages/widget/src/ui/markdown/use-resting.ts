import { useEffect, useState } from "react";

/** Words that come closer to each other than this flow. Milliseconds. */
const REST_MS = 400;

/** Whether a text that is being written has stood still for a while. */
export function useResting(text: string, streaming: boolean): boolean {
  const [rested, setRested] = useState<string>();
  useEffect(() => {
    if (!streaming) return undefined;
    const timer = setTimeout(() => setRested(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text, streaming]);
  return streaming && rested === text;
}
