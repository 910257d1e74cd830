import type { UIMessage } from "ai";

/** The shop's own data parts: `data-order`. */
type ShopData = {
  order: { product: string; state: "new" | "placed" };
};

/** The tools of the page and of the server. */
type ShopTools = {
  cart_add: { input: { sku: string }; output: { items: number } };
  cancel_order: { input: { order: number }; output: string };
};

/** A message with the shop's types: TypeScript knows the input and the output of each tool. */
export type ShopMessage = UIMessage<unknown, ShopData, ShopTools>;
