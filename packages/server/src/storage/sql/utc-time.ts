/** A time as the tables have it: UTC with milliseconds, so that text sorts as time. */
export function utcTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) throw new TypeError(`A time must be an ISO 8601 date and time, got "${time}"`);
  return date.toISOString();
}

/** The UTC day of a time, such as `2026-11-21`. */
export function utcDay(time: string): string {
  return utcTime(time).slice(0, 10);
}
