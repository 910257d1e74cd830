const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
/** Decimal units, as the limits of files and CLDR's names of the units have them: 10,000,000 bytes are 10 MB. */
const STEP = 1000;

/**
 * A size in the locale's units. A kilobyte has 1000 bytes.
 *
 * @example formatBytes(10_000_000, "ru") // "10 МБ"
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
