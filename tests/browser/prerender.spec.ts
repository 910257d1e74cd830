/** A page that the browser has prerendered and that the visitor may never see. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listenLocally } from "../../scripts/listen-locally.mjs";
import { findBrowser } from "../../scripts/find-browser.mjs";
import { expect, test } from "./fixtures.ts";
import { hostPage } from "./host-page.ts";

/** The first page prerenders the second, and navigates to it some round trips after the second's widget has appeared. */
const script = (listener: string) => `
  const tell = (what) => fetch("${listener}/" + what, { mode: "no-cors" });
  if (location.pathname === "/shown") {
    tell("prerendered-" + document.prerendering);
    const threadchange = () => tell("opened-" + document.prerendering);
    const ready = () => localStorage.setItem("ready", "yes");
    Nitka.init({ target: "#chat", routing: "none", on: { threadchange, ready } });
  } else {
    const rules = document.createElement("script");
    rules.type = "speculationrules";
    rules.textContent = JSON.stringify({ prerender: [{ urls: ["/shown"], eagerness: "immediate" }] });
    // The visitor already has a cookie.
    fetch("/api/projects/default/config").then(() => document.head.append(rules));
    addEventListener("storage", async () => {
      let threads;
      for (let time = 0; time < 5; time += 1) threads = await (await fetch("/api/debug/threads")).json();
      await tell("threads-" + threads.length);
      location.href = "/shown";
    });
  }`;

// Under Playwright pages are not prerendered, because it uses the browser's developer tools. This browser is started without
// it.
test("a prerendered page makes a new visitor no thread until it is shown", async ({ site }) => {
  const told: string[] = [];
  const listener = createServer((request, response) => {
    told.push(request.url ?? "");
    response.writeHead(204).end();
  });
  site.host.html = hostPage({ script: script(`http://127.0.0.1:${await listenLocally(listener)}`) });
  const profile = await mkdtemp(join(tmpdir(), "nitka-prerender-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`];
  const browser = spawn(await findBrowser(), [...flags, `${site.origin}/`], { stdio: "ignore", detached: true });
  try {
    await expect.poll(() => told).toContainEqual(expect.stringContaining("opened"));
    expect(told).toEqual(["/prerendered-true", "/threads-0", "/opened-false"]);
  } finally {
    // The program can be a script that starts the browser: both are in one process group.
    if (browser.pid !== undefined) process.kill(-browser.pid);
    await once(browser, "exit");
    listener.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});
