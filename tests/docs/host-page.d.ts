/** What the page of a host has in the documents' examples. */
import type { NitkaHandle, NitkaOptions } from "@nitka/widget";

interface Shop {
  readonly cart: unknown[];
  add(sku: unknown, signal?: AbortSignal): { readonly items: number };
  checkout(): Promise<unknown>;
}

declare global {
  const Nitka: { init(options?: NitkaOptions): NitkaHandle };
  const shop: Shop;
  const router: { go(path: string): void };
  const customer: { readonly id: string; readonly name: string };
  function track(name: string, detail: object): void;
}
