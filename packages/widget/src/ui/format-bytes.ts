const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
const STEP = 1024;

/**
 * A size in the locale's units. A kilobyte counts 1024 bytes, as in file managers.
 *
 * @example formatBytes(10 * 1024 * 1024, "ru") // "10 МБ"
 */
export function formatBytes(bytes: number, locale: string): string {
  const power = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(STEP)), UNITS.length - 1);
  const amount = bytes / STEP ** power;
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: UNITS[power] ?? "byte",
    unitDisplay: "short",
    maximumFractionDigits: amount < 10 && power > 0 ? 1 : 0,
  }).format(amount);
}
