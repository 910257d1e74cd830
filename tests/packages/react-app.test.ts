/** An app of React 18 that Vite builds, with only the tarballs of our packages. */
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { codeIn } from "../docs-code.ts";
import { filesIn } from "./files-in.ts";
import { runCompiler } from "../../scripts/run-compiler.mjs";
import { installApp } from "./installed-app.ts";
import type { InstalledApp } from "./installed-app.ts";
import { filesOf, servePages } from "./page-server.ts";
import type { PageServer } from "./page-server.ts";
import { startBrowser } from "./real-browser.ts";
import type { RealBrowser } from "./real-browser.ts";

const html = `<!doctype html>
<html lang="ru">
  <title>Лавка</title>
  <div id="root"></div>
  <script type="module" src="/main.tsx"></script>
</html>`;

const main = `
import { NitkaChat } from "@nitka/widget/react";
import type { NitkaHandle } from "@nitka/widget";
import { StrictMode, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { Support } from "./docs";

const log: string[] = [];
Object.assign(window, { log });

function Page() {
  const [open, setOpen] = useState(true);
  const [dark, setDark] = useState(false);
  const chat = useRef<NitkaHandle>(null);
  return (
    <main>
      <button onClick={() => setOpen(!open)}>Чат</button>
      <button onClick={() => setDark(!dark)}>Свет</button>
      <button onClick={() => void chat.current?.send("Из кода")}>Спросить</button>
      <div style={{ height: 600 }}>
        {open && (
          <NitkaChat
            ref={chat}
            routing="none"
            colorScheme={dark ? "dark" : "light"}
            words={{ "sidebar.removed": (title) => title + (dark ? "!" : ".") }}
            visitorToken={undefined}
            onReady={(handle) => log.push("ready " + handle.element.localName)}
            onRunEnd={({ status }) => log.push(status.type + (dark ? " in the dark" : " in the light"))}
          />
        )}
      </div>
    </main>
  );
}

const page = location.search === "?docs" ? <Support /> : <Page />;
createRoot(document.querySelector("#root")!).render(<StrictMode>{page}</StrictMode>);
`;

/** The code in the docs. */
const [component = ""] = codeIn("embedding.md", "React");

/** The element in JSX without the component. */
const markup = `
import "@nitka/widget/jsx";
export const element = (
  <nitka-chat layout="launcher" proxy-url="/" class="chat" onnitka-message={(event) => event.detail.threadId} />
);
`;

/** There is no such layout. */
const wrong = `
import "@nitka/widget/jsx";
export const element = <nitka-chat layout="window" />;
`;

const tsconfig = {
  compilerOptions: {
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    jsx: "react-jsx",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    lib: ["es2022", "dom"],
    types: [],
  },
  include: ["*.tsx"],
};

let app: InstalledApp;
let browser: RealBrowser;
/** In a development build React's strict mode mounts each component twice. */
let servers: Readonly<Record<"production" | "development", PageServer>>;

beforeAll(async () => {
  [app, browser] = await Promise.all([
    installApp({
      packages: inject("packages"),
      uses: ["@nitka/widget"],
      dependencies: {
        react: "18.3.1",
        "react-dom": "18.3.1",
        "@types/react": "18.3.12",
        "@types/react-dom": "18.3.1",
        vite: "8.3.8",
      },
      files: {
        "index.html": html,
        ".env.development": "NODE_ENV=development",
        "main.tsx": main,
        "docs.tsx": component.replace("https://chat.example", "/"),
        "markup.tsx": markup,
        "wrong.tsx": wrong,
        "tsconfig.json": JSON.stringify(tsconfig),
      },
    }),
    startBrowser(),
  ]);
  const serve = async (mode: string) => {
    await app.run("node_modules/vite/bin/vite.js", "build", "--mode", mode, "--outDir", mode);
    return servePages(filesOf(join(app.folder, mode)));
  };
  servers = { production: await serve("production"), development: await serve("development") };
});

afterAll(async () => {
  for (const server of Object.values(servers ?? {})) await server.close();
  await browser?.close();
  app?.remove();
});

/** Whether the widget's styles apply: the tokens, and the layout of the shell. */
function styledIn(page: Page) {
  return page.evaluate<readonly string[]>(`(() => {
    const frame = document.querySelector("iframe")?.contentDocument;
    const host = document.querySelector("nitka-chat") ?? frame?.querySelector("nitka-chat");
    const shell = host.shadowRoot.querySelector(".shell");
    const view = shell.ownerDocument.defaultView;
    return [view.getComputedStyle(shell).display, view.getComputedStyle(shell.querySelector("textarea")).resize];
  })()`);
}
const styled = ["grid", "none"];

it("its types hold for the component, the handle and the element, and find what is wrong", async () => {
  const tsc = await runCompiler([], { cwd: app.folder });
  expect(filesIn(tsc.output)).toEqual(["wrong.tsx"]);
});

it.each(["production", "development"] as const)(
  "chats in a build for %s under a strict content security policy, and is styled",
  async (mode) => {
    const page = await browser.open(servers[mode].url);
    expect(await browser.askOn(page, "Привет")).toContain("Ответ на «Привет».");
    expect(await styledIn(page)).toEqual(styled);
    await page.waitForFunction("log.length === 2");
    expect(await page.evaluate("log")).toEqual(["ready nitka-chat", "complete in the light"]);
    await page.context().close();
  },
);

it("leaves nothing when it is unmounted, and chats again when it is mounted", async () => {
  const page = await browser.open(servers.development.url);
  await browser.askOn(page, "Первый");
  await page.getByRole("button", { name: "Чат", exact: true }).click();
  expect(await page.locator("nitka-chat").count()).toBe(0);
  await page.getByRole("button", { name: "Чат", exact: true }).click();
  await page.locator("nitka-chat").getByText("Ответ на «Первый».").waitFor();
  expect(await browser.askOn(page, "Второй")).toContain("Ответ на «Второй».");
  expect(await page.locator("nitka-chat").count()).toBe(1);
  await page.context().close();
});

it("takes changed properties without a restart, calls the latest callback, and hands out its handle", async () => {
  const page = await browser.open(servers.development.url);
  await browser.askOn(page, "Первый");
  await page.getByRole("button", { name: "Свет" }).click();
  await page.locator("nitka-chat[color-scheme=dark]").waitFor();
  await page.getByRole("button", { name: "Спросить" }).click();
  const answers = page.locator("nitka-chat").getByRole("article", { name: "Ассистент:" });
  await answers.getByText("Ответ на «Из кода».").waitFor();
  await page.waitForFunction("log.length === 3");
  expect(await page.evaluate("log")).toEqual(["ready nitka-chat", "complete in the light", "complete in the dark"]);
  await page.context().close();
});

it("keeps its styles wherever the page moves it, even in another document", async () => {
  const page = await browser.open(servers.development.url);
  await browser.askOn(page, "Привет");
  await page.evaluate(`document.body.append(document.querySelector("nitka-chat"))`);
  expect(await styledIn(page)).toEqual(styled);
  await page.evaluate(`(() => {
    const frame = document.createElement("iframe");
    document.body.append(frame);
    frame.contentDocument.body.append(document.querySelector("nitka-chat"));
  })()`);
  expect(await styledIn(page)).toEqual(styled);
  await page.context().close();
});

it("the component in the docs chats, and asks from the page's button", async () => {
  const page = await browser.open(`${servers.production.url}?docs`);
  expect(await browser.askOn(page, "Привет")).toContain("Ответ на «Привет».");
  await page.getByRole("button", { name: "Где мой заказ?" }).click();
  await page.locator("nitka-chat").getByText("Ответ на «Где мой заказ?».").waitFor();
  await page.context().close();
});
