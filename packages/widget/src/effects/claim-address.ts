import type { AddressRules } from "./thread-address.ts";

/**
 * If several widgets of a page would write the same kind of address, only the first one does. The others get the rules
 * `routing: "none"` and a warning.
 *
 * @param isOwn whether this widget is the first
 */
export function claimAddress(rules: AddressRules, isOwn: boolean, warn: (text: string) => void): AddressRules {
  if (rules.routing === "none" || isOwn) return rules;
  warn('Nitka: another widget writes the address, this one has routing "none".');
  return { ...rules, routing: "none" };
}
