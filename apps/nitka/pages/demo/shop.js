/** The shop: its shelf, its basket, and the assistant that knows both. */
import { startAssistant } from "./shop/assistant.js";
import { createBasket } from "./shop/basket.js";
import { showBasket } from "./shop/basket-view.js";
import { readDelivery, readGoods } from "./shop/goods.js";
import { showShelf } from "./shop/shelf.js";

const goods = readGoods();
const basket = createBasket({ goods, delivery: readDelivery(), storage: localStorage });
// Another tab has changed the basket.
window.addEventListener("storage", () => basket.reload());
showShelf(basket);
showBasket(basket);
startAssistant(basket);
