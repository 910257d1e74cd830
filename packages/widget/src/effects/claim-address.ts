import type { AddressRules } from "./thread-address.ts";

/** What this page's widgets write into its address. */
const claimed = new Set<string>();

/**
 * Of several widgets that would write the same address the first one does, until the signal: the others leave it alone,
 * and one warning says so.
 */
export function claimAddress(rules: AddressRules, signal: AbortSignal, warn: (text: string) => void): AddressRules {
  const { routing, basePath } = rules;
  if (routing === "none") return rules;
  const claim = `${routing} ${basePath}`;
  if (claimed.has(claim)) {
    warn('Nitka: another widget writes the address, this one has routing "none".');
    return { ...rules, routing: "none" };
  }
  claimed.add(claim);
  signal.addEventListener("abort", () => claimed.delete(claim), { once: true });
  return rules;
}
