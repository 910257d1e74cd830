import { startOfDay } from "../../store/selectors.ts";

/** The formatted times of messages. A thread shares one object, because creating a formatter takes longer than using it. */
export interface TimeTexts {
  /** The time of day. */
  readonly short: (at: Date) => string;
  readonly full: (at: Date) => string;
  /** «Сегодня», «Вчера», or the date. */
  readonly day: (at: Date, today: Date) => string;
  /** By id: the times at which this page first showed messages whose times the backend has not sent yet. */
  readonly newAt: Map<string, Date>;
}

/**
 * @param locale the interface's locale, a BCP 47 tag; it decides the format of times even if the texts are in another language
 */
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
