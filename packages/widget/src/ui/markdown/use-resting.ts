import { useEffect, useState } from "react";
import { STREAM_REST_MS } from "../../timings.ts";

/** Whether a text that is being written has not grown for a while. */
export function useResting(text: string, streaming: boolean): boolean {
  const [restingText, setRestingText] = useState<string>();
  useEffect(() => {
    if (!streaming) return undefined;
    const timer = setTimeout(() => setRestingText(text), STREAM_REST_MS);
    return () => clearTimeout(timer);
  }, [text, streaming]);
  return streaming && restingText === text;
}
