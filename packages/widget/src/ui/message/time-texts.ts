import { startOfDay } from "../../store/selectors.ts";

/** The times of messages as a visitor reads them. One for a thread: making a formatter takes longer than using it. */
export interface TimeTexts {
  /** The time of the day. */
  readonly short: (at: Date) => string;
  readonly full: (at: Date) => string;
  /** «Сегодня», «Вчера», or the date. */
  readonly day: (at: Date, today: Date) => string;
  /** When this page has shown messages whose times their backend has not told yet, by their ids. */
  readonly newAt: Map<string, Date>;
}

/** @param locale of the interface, a BCP 47 tag: times are told as it tells them, whatever its other texts are */
export function createTimeTexts(locale: string): TimeTexts {
  const short = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
  const full = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" });
  return {
    newAt: new Map(),
    short: (at) => short.format(at),
    full: (at) => full.format(at),
    day(at, today) {
      const days = Math.round((startOfDay(at) - startOfDay(today)) / 86_400_000);
      if (days === 0 || days === -1) {
        const text = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
        return text.charAt(0).toUpperCase() + text.slice(1);
      }
      const isThisYear = at.getFullYear() === today.getFullYear();
      return new Intl.DateTimeFormat(locale, {
        day: "numeric",
        month: "long",
        ...(!isThisYear && { year: "numeric" }),
      }).format(at);
    },
  };
}
