/** An app of Angular that its own builder compiles, with only the tarballs of our packages. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { codeIn } from "../../docs-code.ts";
import { installApp } from "../installed-app.ts";
import type { InstalledApp } from "../installed-app.ts";
import { filesOf, servePages, STRICT_POLICY } from "../page-server.ts";
import type { PageServer } from "../page-server.ts";
import { startBrowser } from "../real-browser.ts";
import type { RealBrowser } from "../real-browser.ts";

const html = `<!doctype html>
<html lang="ru">
  <head><meta charset="utf-8" /><title>Лавка</title><base href="/" /></head>
  <body><shop-chat></shop-chat></body>
</html>`;

const main = `
import { bootstrapApplication } from "@angular/platform-browser";
import { ShopChat } from "./chat";

bootstrapApplication(ShopChat).catch((error) => console.error(error));
`;

/** The component in the docs. */
const [chat = ""] = codeIn("embedding.md", "Angular");

const builder = {
  version: 1,
  cli: { analytics: false },
  projects: {
    shop: {
      projectType: "application",
      root: "",
      sourceRoot: "src",
      architect: {
        build: {
          builder: "@angular/build:application",
          options: { browser: "src/main.ts", index: "src/index.html", tsConfig: "tsconfig.json", outputPath: "dist" },
        },
      },
    },
  },
};

const tsconfig = {
  compilerOptions: {
    target: "es2022",
    module: "preserve",
    moduleResolution: "bundler",
    strict: true,
    experimentalDecorators: true,
    lib: ["es2022", "dom"],
  },
  angularCompilerOptions: { strictTemplates: true },
  files: ["src/main.ts"],
};

let app: InstalledApp;
let browser: RealBrowser;
let server: PageServer;

beforeAll(async () => {
  const angular = "22.2.6";
  [app, browser] = await Promise.all([
    installApp({
      packages: inject("packages"),
      uses: ["@nitka/widget"],
      dependencies: {
        "@angular/build": "22.2.7",
        "@angular/cli": "22.2.7",
        "@angular/common": angular,
        "@angular/compiler": angular,
        "@angular/compiler-cli": angular,
        "@angular/core": angular,
        "@angular/platform-browser": angular,
        rxjs: "7.8.2",
        typescript: "6.0.3",
      },
      ownVersions: true,
      files: {
        "angular.json": JSON.stringify(builder),
        "tsconfig.json": JSON.stringify(tsconfig),
        "src/index.html": html,
        "src/main.ts": main,
        "src/chat.ts": chat.replace("https://chat.example", "/"),
      },
    }),
    startBrowser(),
  ]);
  await app.run("node_modules/@angular/cli/bin/ng.js", "build");
  const policy = `${STRICT_POLICY}; style-src 'self' 'unsafe-inline'`;
  server = await servePages(filesOf(join(app.folder, "dist", "browser"), policy));
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  app?.remove();
});

it("the component in the docs chats, with a property and an event of its template", async () => {
  const page = await browser.open(server.url);
  expect(await browser.askOn(page, "Привет")).toContain("Ответ на «Привет».");
  await page.getByText("Вопросов: 1").waitFor();
  await page.locator("nitka-chat").getByRole("button", { name: "Спросить" }).waitFor();
  await page.context().close();
});
