/** An app of Next with its app router, built and started for production, with only the tarballs of our packages. */
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { codeIn } from "../../docs-code.ts";
import { installApp } from "../installed-app.ts";
import type { InstalledApp, Serving } from "../installed-app.ts";
import { pagesOf, servePages } from "../page-server.ts";
import type { PageServer } from "../page-server.ts";
import { startBrowser } from "../real-browser.ts";
import type { RealBrowser } from "../real-browser.ts";

const layout = `
export default function Layout({ children }) {
  return <html lang="ru"><body>{children}</body></html>;
}
`;

/** The code in the docs: a server component, which renders the chat without a directive. */
const [component = ""] = codeIn("embedding.md", "Next");

const page = `
import Link from "next/link";
import Chat from "./chat";

export default function Page() {
  return <><Link href="/prices">Цены</Link><Chat /></>;
}
`;

const prices = `
import Link from "next/link";

export default function Prices() {
  return <Link href="/">Назад</Link>;
}
`;

const start = `
import { createServer } from "node:http";
import next from "next";

const app = next({ dev: false });
await app.prepare();
const server = createServer(app.getRequestHandler());
server.listen(0, () => console.log("http://127.0.0.1:" + server.address().port));
`;

let app: InstalledApp;
let browser: RealBrowser;
let next: Serving;
let server: PageServer;

beforeAll(async () => {
  [app, browser] = await Promise.all([
    installApp({
      packages: inject("packages"),
      uses: ["@nitka/widget"],
      dependencies: { next: "16.4.6", react: "19.3.1", "react-dom": "19.3.1" },
      files: {
        "app/layout.jsx": layout,
        "app/page.jsx": page,
        "app/chat.jsx": component.replace("https://chat.example", "/"),
        "app/prices/page.jsx": prices,
        "start.js": start,
      },
    }),
    startBrowser(),
  ]);
  await app.run("node_modules/next/dist/bin/next", "build");
  next = await app.serve(process.execPath, "start.js", { NODE_ENV: "production" });
  server = await servePages(pagesOf(next.url));
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  await next?.stop();
  app?.remove();
});

it("renders the chat's place on the server, and nothing in it", async () => {
  const html = await (await fetch(server.url)).text();
  expect(html).toContain('<main style="height:100dvh"><div style="height:100%"></div></main>');
});

it("chats, also after the visitor has been on another page", async () => {
  const tab = await browser.open(server.url);
  expect(await browser.askOn(tab, "Привет")).toContain("Ответ на «Привет».");
  await tab.getByRole("link", { name: "Цены" }).click();
  await tab.getByRole("link", { name: "Назад" }).waitFor();
  expect(await tab.locator("nitka-chat").count()).toBe(0);
  await tab.getByRole("link", { name: "Назад" }).click();
  await tab.locator("nitka-chat").getByText("Ответ на «Привет».").waitFor();
  expect(await browser.askOn(tab, "Ещё раз")).toContain("Ответ на «Ещё раз».");
  await tab.context().close();
});
