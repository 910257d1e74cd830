/** A time in the format of the tables: UTC with milliseconds, so that text order is time order. */
export function utcTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) throw new TypeError(`A time must be an ISO 8601 date and time, got "${time}"`);
  return date.toISOString();
}

/** The UTC day of a time, for example `2026-11-21`. */
export function utcDay(time: string): string {
  return utcTime(time).slice(0, 10);
}
