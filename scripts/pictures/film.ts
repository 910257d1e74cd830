/**
 * `npm run film`: records docs/pictures/shop.gif, a visit to the demo shop from the closed chat to the mug in the basket. It
 * needs ffmpeg and an idle machine, because it takes the frames as they come.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { chromium } from "@playwright/test";
import type { Page } from "@playwright/test";
import { startProgram } from "../../tests/browser/program.ts";
import { findDebianProgram } from "../debian-packages.mjs";
import { findBrowser } from "../find-browser.mjs";
import { runCommand } from "../run-command.mjs";
import { folder } from "./picture-poses.ts";
import { openInShop } from "./shop-poses.ts";

const SIZE = { width: 1120, height: 700 };
/** The width of the film in pixels. */
const WIDTH = 800;
const FRAMES_A_SECOND = 12;
const MAX_BYTES = 1_000_000;
/** How long the last picture is shown, in seconds. */
const LAST_S = 2.5;

interface Frame {
  readonly file: string;
  /** The time in seconds. */
  readonly at: number;
}

const work = mkdtempSync(join(tmpdir(), "nitka-film-"));
const program = await startProgram({ NITKA_MODEL: "demo", NITKA_DATA: join(work, "data"), LOG_LEVEL: "silent" });
const browser = await chromium.launch({ executablePath: await findBrowser(), args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport: SIZE, locale: "ru-RU", colorScheme: "light" });
  await page.goto(`${program.url}demo/launcher`);
  await page.getByRole("button", { name: "Открыть чат" }).waitFor();
  const frames = await filmed(page, () => play(page));
  await writeFilm(frames, join(folder, "shop.gif"));
} finally {
  await browser.close();
  await program.stop();
  rmSync(work, { recursive: true, force: true });
}

async function play(page: Page): Promise<void> {
  await wait(600);
  await openInShop(page);
  await wait(700);
  await page
    .getByPlaceholder("Напишите что-нибудь...")
    .pressSequentially("Положи в корзину синюю кружку", { delay: 45 });
  await wait(300);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Разрешить" }).waitFor();
  await wait(1_200);
  await page.getByRole("button", { name: "Разрешить" }).click();
  await page.getByRole("button", { name: "Хороший ответ" }).last().waitFor();
  await wait(400);
}

/** Records the page while something happens on it. */
async function filmed(page: Page, happen: () => Promise<void>): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  const session = await page.context().newCDPSession(page);
  session.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    const file = join(work, `${String(frames.length).padStart(5, "0")}.png`);
    writeFileSync(file, Buffer.from(data, "base64"));
    frames.push({ file, at: metadata.timestamp ?? 0 });
    void session.send("Page.screencastFrameAck", { sessionId });
  });
  await session.send("Page.startScreencast", { format: "png", everyNthFrame: 1 });
  await happen();
  await session.send("Page.stopScreencast");
  return frames;
}

async function writeFilm(frames: readonly Frame[], film: string): Promise<void> {
  const ffmpeg = await findDebianProgram("ffmpeg", "ffmpeg, for the film");
  const list = frames.map(
    ({ file, at }, index) => `file '${file}'\nduration ${((frames[index + 1]?.at ?? at + LAST_S) - at).toFixed(3)}`,
  );
  // The last file is listed twice, because ffmpeg otherwise ignores its duration.
  writeFileSync(join(work, "frames.txt"), [...list, `file '${frames.at(-1)?.file}'`].join("\n"));
  const palette =
    "split[a][b];[a]palettegen=max_colors=96:stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle";
  const filters = `fps=${FRAMES_A_SECOND},scale=${WIDTH}:-1:flags=lanczos,${palette}`;
  const args = ["-y", "-f", "concat", "-safe", "0", "-i", join(work, "frames.txt"), "-vf", filters, film];
  const { ok, output } = await runCommand(ffmpeg, args, { timeoutMs: 300_000 });
  if (!ok) throw new Error(output);
  const bytes = statSync(film).size;
  if (bytes > MAX_BYTES) throw new Error(`The film has ${bytes} bytes: expected at most ${MAX_BYTES}.`);
  process.stdout.write(`${film}: ${frames.length} frames, ${Math.round(bytes / 1024)} KB\n`);
}
