import type { AddressRules } from "./thread-address.ts";

/**
 * Of several widgets that would write the same kind of address the first one does: the others leave it alone, and one
 * warning says so.
 */
export function claimAddress(rules: AddressRules, isOwn: boolean, warn: (text: string) => void): AddressRules {
  if (rules.routing === "none" || isOwn) return rules;
  warn('Nitka: another widget writes the address, this one has routing "none".');
  return { ...rules, routing: "none" };
}
