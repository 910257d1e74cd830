import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { freePort } from "../../scripts/listen-locally.mjs";
import type { Driver, SpecialKey } from "./driver.ts";
import { WINDOW } from "./driver.ts";

interface WebKitPaths {
  /** WebKitGTK's WebDriver. */
  readonly webDriver: string;
  /** Xvfb. */
  readonly screen: string;
}

type Size = readonly [width: number, height: number];
type SetWindow = (...size: Size) => Promise<unknown>;

/** The keys' code points (WebDriver, «Keyboard actions»). */
const KEYS: Readonly<Record<SpecialKey, string>> = {
  Enter: "\uE007",
  Escape: "\uE00C",
  Tab: "\uE004",
  Backspace: "\uE003",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
  F6: "\uE036",
  Shift: "\uE008",
  Control: "\uE009",
};

/** WebKitGTK's MiniBrowser over WebDriver. It has no headless mode, so it runs on a virtual screen. */
export async function startWebKit({ webDriver, screen: xvfb }: WebKitPaths): Promise<Driver> {
  const screen = spawn(xvfb, ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const [display] = (await once(screen.stdio[3] as NodeJS.ReadableStream, "data")) as [Buffer];
  const port = await freePort();
  const server = spawn(webDriver, [`--port=${port}`, "--host=127.0.0.1"], {
    // The DMA-BUF renderer shows nothing without a graphics card.
    env: { ...process.env, DISPLAY: `:${display.toString().trim()}`, WEBKIT_DISABLE_DMABUF_RENDERER: "1" },
    stdio: "ignore",
  });
  const stop = () => Promise.all([server, screen].map(end));
  try {
    const base = `http://127.0.0.1:${port}/session`;
    await untilListening(port);
    const { sessionId } = (await sendCommand("POST", base, {
      capabilities: {
        alwaysMatch: {
          // The default strategy waits for the page's load, and therefore for its streams.
          pageLoadStrategy: "none",
          "webkitgtk:browserOptions": { args: ["--automation"] },
        },
      },
    })) as { readonly sessionId: string };
    return await createDriver(`${base}/${sessionId}`, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createDriver(session: string, stop: () => Promise<unknown>): Promise<Driver> {
  const run = (body: string) => sendCommand("POST", `${session}/execute/sync`, { script: body, args: [] });
  const act = (type: string, parameters: object, actions: readonly object[]) =>
    sendCommand("POST", `${session}/actions`, { actions: [{ type, id: type, parameters, actions }] });
  const setWindow: SetWindow = (width, height) =>
    sendCommand("POST", `${session}/window/rect`, { x: 0, y: 0, width, height });
  const barHeight = await measureBar(run, setWindow);
  const resize = async (width: number, height: number) => {
    await setWindow(width, height + barHeight);
    await untilSize(run, (size) => size[0] === width && size[1] === height);
  };
  return {
    reset: () => resize(WINDOW.width, WINDOW.height),
    goto: async (url) => void (await sendCommand("POST", `${session}/url`, { url })),
    run,
    async click(x, y) {
      await act("pointer", { pointerType: "mouse" }, [
        { type: "pointerMove", duration: 0, origin: "viewport", x: Math.round(x), y: Math.round(y) },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ]);
    },
    async press(keys) {
      const values = keys.map((key) => KEYS[key]);
      await act("key", {}, [
        ...values.map((value) => ({ type: "keyDown", value })),
        ...values.toReversed().map((value) => ({ type: "keyUp", value })),
      ]);
    },
    async type(text) {
      const keys = Array.from(text).flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      await act("key", {}, keys);
    },
    resize,
    async close() {
      await sendCommand("DELETE", session);
      await stop();
    },
  };
}

/**
 * The height of the bar above the page, in CSS pixels: the window's height minus the viewport's. It is measured when the
 * viewport has the window's width, because the viewport keeps its former size until then.
 */
async function measureBar(run: Driver["run"], setWindow: SetWindow): Promise<number> {
  const { width, height } = WINDOW;
  await setWindow(width, height);
  await untilSize(run, ([innerWidth]) => innerWidth === width);
  const [, innerHeight] = await sizeOf(run);
  return height - innerHeight;
}

async function untilSize(run: Driver["run"], isReached: (size: Size) => boolean): Promise<void> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    if (isReached(await sizeOf(run))) return;
    await setTimeout(50);
  }
  throw new Error(`WebKit's viewport does not reach the requested size; it is ${(await sizeOf(run)).join(" × ")}.`);
}

function sizeOf(run: Driver["run"]): Promise<Size> {
  return run("return [innerWidth, innerHeight]") as Promise<Size>;
}

/** Sends a WebDriver command. Throws the browser's error message if it refuses the command. */
async function sendCommand(method: "POST" | "DELETE", url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { readonly value: unknown };
  if (!response.ok) {
    const { error, message } = value as { readonly error: string; readonly message: string };
    throw new Error(`WebKitWebDriver refused ${new URL(url).pathname}: ${error}: ${message}`);
  }
  return value;
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const status = await fetch(`http://127.0.0.1:${port}/status`).catch(() => undefined);
    if (status?.ok) return;
    await setTimeout(100);
  }
  throw new Error("WebKitWebDriver did not listen within a minute.");
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}
