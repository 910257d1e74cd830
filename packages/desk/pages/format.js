import { locale, words } from "./words.js";

const number = new Intl.NumberFormat(locale);
const time = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "long", timeZone: "UTC" });

/** @param {number} count */
export function formatCount(count) {
  return number.format(count);
}

/** @param {string} iso */
export function formatTime(iso) {
  return time.format(new Date(iso));
}

/** @param {string} utcDay such as `2026-11-21` */
export function formatDay(utcDay) {
  return day.format(new Date(`${utcDay}T00:00:00Z`));
}

/**
 * @param {number | undefined} ms
 * @example formatDuration(840) // "840 мс"
 * @example formatDuration(12_340) // "12,3 с"
 */
export function formatDuration(ms) {
  if (ms === undefined) return "—";
  if (ms < 1_000) return `${number.format(ms)}\u00A0${words.units.ms}`;
  if (ms < 60_000) return `${number.format(Math.round(ms / 100) / 10)}\u00A0${words.units.s}`;
  const seconds = Math.round(ms / 1_000);
  return `${number.format(Math.floor(seconds / 60))}\u00A0${words.units.min} ${seconds % 60}\u00A0${words.units.s}`;
}

/** @param {{ readonly amount: number, readonly currency: string } | undefined} cost */
export function formatCost(cost) {
  if (!cost) return "—";
  const { amount, currency } = cost;
  // A single answer often costs less than a cent.
  const maximumFractionDigits = amount < 0.1 ? 5 : 2;
  return new Intl.NumberFormat(locale, { style: "currency", currency, maximumFractionDigits }).format(amount);
}

/** @param {{ readonly inputTokens: number, readonly outputTokens: number } | undefined} tokens */
export function formatTokens(tokens) {
  return tokens ? `${number.format(tokens.inputTokens)}\u00A0→ ${number.format(tokens.outputTokens)}` : "—";
}
