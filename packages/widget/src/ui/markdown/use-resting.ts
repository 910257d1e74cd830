import { useEffect, useState } from "react";
import { STREAM_REST_MS } from "../../timings.ts";

/** Whether a text that is being written has stood still for a while. */
export function useResting(text: string, streaming: boolean): boolean {
  const [rested, setRested] = useState<string>();
  useEffect(() => {
    if (!streaming) return undefined;
    const timer = setTimeout(() => setRested(text), STREAM_REST_MS);
    return () => clearTimeout(timer);
  }, [text, streaming]);
  return streaming && rested === text;
}
