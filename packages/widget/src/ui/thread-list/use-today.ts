import { useEffect, useState } from "react";
import { nextMidnight } from "../../store/selectors.ts";
import { useChat } from "../chat-context.tsx";

/** A time of the present day. It changes at the visitor's midnight, or when the computer wakes up after it. */
export function useToday(): Date {
  const { now } = useChat();
  const [today, setToday] = useState(() => new Date(now()));
  useEffect(() => {
    const midnight = nextMidnight(today).getTime();
    const update = () => {
      if (now() >= midnight) setToday(new Date(now()));
    };
    const timer = setTimeout(update, midnight - now());
    // Timers stand still while the computer sleeps.
    document.addEventListener("visibilitychange", update);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", update);
    };
  }, [now, today]);
  return today;
}
