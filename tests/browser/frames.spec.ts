/** The widget in frames whose address is not that of a site, and beside frames of the page. */
import type { Route } from "@playwright/test";
import { ChatPage } from "./chat-page.ts";
import { expect, test } from "./fixtures.ts";
import { hostPage } from "./host-page.ts";

/** A page that shows another one in a frame, created with these attributes and this script. */
const around = (inner: string, attributes: string, script: string) => `<!doctype html>
  <body style="margin: 0">
    <iframe ${attributes} style="width: 100vw; height: 100vh; border: 0"></iframe>
    <script>
      const inner = ${JSON.stringify(inner).replaceAll("</", String.raw`<\/`)};
      const frame = document.querySelector("iframe");
      ${script}
    </script>
  </body>`;

const srcdoc = "frame.srcdoc = inner;";
const frames = [
  ["of srcdoc", "", srcdoc],
  ["that is sandboxed", `sandbox="allow-scripts"`, srcdoc],
  ["of a blob", "", `frame.src = URL.createObjectURL(new Blob([inner], { type: "text/html" }));`],
] as const;

for (const [what, attributes, script] of frames) {
  test(`a frame ${what} has a chat with the default routing, and its address stays`, async ({ page, site }) => {
    // A sandboxed frame has no origin, so the server would have to allow it.
    const allow = async (route: Route) => {
      const { origin: _, ...headers } = route.request().headers();
      const response = await route.fetch({ headers });
      const cors = { "access-control-allow-origin": "null", "access-control-allow-credentials": "true" };
      await route.fulfill({ response, headers: { ...response.headers(), ...cors } });
    };
    if (attributes !== "") await page.route("**/api/**", allow);
    const inner = hostPage({ options: `{ target: "#chat", proxyUrl: "${site.origin}" }` });
    site.host.html = around(inner.replaceAll('src="/widget', `src="${site.origin}/widget`), attributes, script);
    await page.goto(site.origin);
    const chat = new ChatPage(page, site, page.frameLocator("iframe").locator("nitka-chat"));
    await chat.opened();
    await expect(chat.failures).toHaveCount(0);
    await chat.ask("Где заказ?");
    await expect(chat.answers).toContainText("Ответ на «Где заказ?».");
    // A sandbox stores nothing for its visitor.
    if (attributes === "") await page.reload();
    await expect(chat.questionTexts).toHaveText(["Где заказ?"]);
    const [, frame] = page.frames();
    const address = await frame?.evaluate(() => location.href);
    await chat.newThreadButton.click();
    await expect(chat.messages).toHaveCount(0);
    await chat.threads.last().locator(".thread-open").click();
    await expect(chat.questionTexts).toHaveText(["Где заказ?"]);
    expect([await frame?.evaluate(() => location.href), page.url()]).toEqual([address, `${site.origin}/`]);
    // A refresh may still be in flight to the site, which closes now.
    await page.unrouteAll({ behavior: "wait" });
  });
}

test("five clicks into a frame of the page and back cause at most one refresh", async ({ chat, page }) => {
  await chat.open("/", {
    body: `<iframe srcdoc="<button>Карта</button>" style="height: 60px"></iframe><div id="chat" style="height: 600px"></div>`,
  });
  const requests: string[] = [];
  page.on("request", (request) => request.method() === "GET" && requests.push(new URL(request.url()).pathname));
  const inFrame = page.frameLocator("iframe").getByRole("button");
  for (let time = 0; time < 5; time += 1) {
    await inFrame.click();
    await expect(inFrame).toBeFocused();
    await chat.composer.click();
    await expect(chat.composer).toBeFocused();
  }
  await expect.poll(() => requests.filter((path) => path.includes("/messages")).length).toBeLessThanOrEqual(1);
  expect(requests.filter((path) => path.endsWith("/threads")).length).toBeLessThanOrEqual(1);
});
