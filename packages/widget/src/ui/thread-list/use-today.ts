import { useEffect, useState } from "react";
import { nextMidnight } from "../../store/selectors.ts";
import { useChat } from "../chat-context.tsx";

/** The present day, as a date in it. It changes at the visitor's midnight, also when the computer slept over it. */
export function useToday(): Date {
  const { now } = useChat();
  const [today, setToday] = useState(() => new Date(now()));
  useEffect(() => {
    const midnight = nextMidnight(today).getTime();
    const look = () => {
      if (now() >= midnight) setToday(new Date(now()));
    };
    const timer = setTimeout(look, midnight - now());
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [now, today]);
  return today;
}
