import { z } from "zod";

const line = z.object({ sku: z.string(), title: z.string(), count: z.number(), price: z.number() });

const basket = z.object({ lines: z.array(line), goods: z.number(), total: z.number() });

const shopPage = z.object({
  currency: z.string(),
  goods: z
    .array(
      z.object({
        sku: z.string(),
        title: z.string(),
        about: z.string().default(""),
        price: z.number(),
        stock: z.number(),
        availability: z.string().default(""),
      }),
    )
    .min(1),
  basket,
});

/** The context that the demo shop's page provides. */
export type ShopPage = z.output<typeof shopPage>;
export type ShopGood = ShopPage["goods"][number];
export type Basket = z.output<typeof basket>;

/** An order that the page has placed. */
export type Order = Basket & { readonly number: number };

/** Reads a page's context; `undefined` when the page is not a shop. */
export function readShopPage(context: unknown): ShopPage | undefined {
  return shopPage.safeParse(context).data;
}

/** Reads a basket that a tool of the page has returned. */
export function readBasket(output: unknown): Basket | undefined {
  return basket.safeParse(output).data;
}

/** Reads the shop's reason for refusing what a tool was called for. */
export function readRefusal(output: unknown): string | undefined {
  return z.object({ refused: z.string() }).safeParse(output).data?.refused;
}

/** Reads an order that a tool of the page has returned. */
export function readOrder(output: unknown): Order | undefined {
  return basket.extend({ number: z.number() }).safeParse(output).data;
}
