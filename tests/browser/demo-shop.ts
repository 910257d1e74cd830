import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { ChatPage } from "./chat-page.ts";
import { expect, test as base } from "./fixtures.ts";
import { startProgram } from "./program.ts";
import type { Site } from "./site.ts";

/** The demo shop as its visitor sees it, with the chat in its page. */
export class DemoShop extends ChatPage {
  readonly url: string;

  constructor(page: Page, site: Site, url: string) {
    super(page, site);
    this.url = url;
  }

  /** The number of items in the page's basket. */
  get basketCount(): Locator {
    return this.page.getByRole("link", { name: /^Корзина/ }).locator("span");
  }
  /** The part of the page that lists the basket. */
  get basket(): Locator {
    return this.page.locator("#basket");
  }
  /** The buttons on the shelf. */
  shelfButton(title: string): Locator {
    return this.page.getByRole("button", { name: `${title}: в корзину` });
  }
  /** The shop's own card in the chat. */
  card(title: string | RegExp): Locator {
    return this.root.getByRole("region", { name: title });
  }
  /** The questions that the assistant suggests. */
  get nextQuestions(): Locator {
    return this.root.getByRole("list", { name: "Что спросить дальше" }).getByRole("button");
  }
  /** The question whether a tool may run. */
  get approval(): Locator {
    return this.root.getByRole("group", { name: /^Нужно ваше разрешение/ });
  }

  async enter(): Promise<void> {
    await this.page.goto(new URL("demo/", this.url).href);
    await this.opened();
  }

  /** Makes the assistant put the mug into the basket. */
  async putMug(): Promise<void> {
    await this.ask("Положи в корзину синюю кружку");
    await this.button("Разрешить").click();
    await this.idle();
    await expect(this.basketCount).toHaveText("1");
  }

  /** Another tab of the same visitor, at the same address. */
  async openTab(): Promise<DemoShop> {
    const tab = new DemoShop(await this.page.context().newPage(), this.site, this.url);
    await tab.page.goto(this.page.url());
    await tab.opened();
    return tab;
  }
}

interface ShopProgram {
  readonly url: string;
  /** Stops the program and starts it again with the same address and data. */
  restart(): Promise<void>;
}

interface ShopFixtures {
  readonly shop: DemoShop;
}

interface ShopWorkerFixtures {
  readonly program: ShopProgram;
}

/**
 * The program with its demo model, with the shop's page open. The tests of a worker share one program, because starting it
 * takes longer than a test. Each test is a separate visitor, whom the others cannot see.
 */
export const test = base.extend<ShopFixtures, ShopWorkerFixtures>({
  program: [
    async ({ browser }, provide, { project, workerIndex }) => {
      // The fixture is named so that the program stops before the browser closes.
      void browser;
      const env = {
        NITKA_DATA: join(project.outputDir, `shop-${workerIndex}`),
        NITKA_DEMO_SPEED: "1000",
        LOG_LEVEL: "silent",
      };
      let program = await startProgram(env);
      const { url } = program;
      await provide({
        url,
        async restart() {
          await program.stop();
          program = await startProgram({ ...env, PORT: new URL(url).port });
        },
      });
      await program.stop();
    },
    { scope: "worker" },
  ],
  shop: async ({ page, site, program }, provide, info) => {
    // Some tests restart the program.
    info.slow();
    const shop = new DemoShop(page, site, program.url);
    await shop.enter();
    await provide(shop);
    for (const each of page.context().pages()) await each.goto("about:blank");
  },
});
