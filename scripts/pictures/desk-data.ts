/** A week of runs for the pictures of the operators' desk, and the program that shows it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStorage } from "@nitka/server/sqlite";
import type { Page } from "@playwright/test";
import type { Program } from "../../tests/browser/program.ts";
import { startProgram } from "../../tests/browser/program.ts";

export interface Desk {
  readonly url: string;
  /** The cookie of the one session for all pictures, because the desk accepts ten sign-ins a minute from one address. */
  readonly cookie: { readonly name: string; readonly value: string };
  stop(): Promise<void>;
}

const KEY = "the key of pictures alone";

const questions = [
  "Как заварить сенчу?",
  "Где мой заказ № 1042?",
  "Сравни в таблице зелёный и чёрный чай",
  "Можно ли мыть пиалу в посудомойке?",
  "Сколько стоит доставка в Казань?",
  "Чем отличается пиала от чашки?",
  "Положи в корзину синюю кружку",
] as const;

const complaints = ["Доставка стоит иначе", "Слишком длинно: мне нужна была одна цифра"] as const;

/** Starts a program whose database has a week of runs. */
export async function startDesk(folder: string): Promise<Desk> {
  mkdirSync(folder, { recursive: true });
  await fill(join(folder, "nitka.db"));
  const config = join(folder, "projects.json");
  const prices = { "gpt-5-mini": { input: 0.25, cachedInput: 0.025, output: 2 }, demo: { input: 0.25, output: 2 } };
  const project = { model: "demo", currency: "EUR", prices };
  writeFileSync(config, JSON.stringify({ projects: { default: project, shop: { ...project, title: "Черепок" } } }));
  const program = await startProgram({
    NITKA_DATA: folder,
    NITKA_DEMO_SPEED: "20",
    NITKA_CONFIG: config,
    NITKA_OPS_PORT: "0",
    NITKA_DESK_KEY: KEY,
  });
  const url = await addressOf(program);
  await ask(program, "Какая погода в Сан-Франциско?");
  return { url: `${url}/desk/`, cookie: await sessionAt(url), stop: () => program.stop() };
}

async function sessionAt(url: string): Promise<Desk["cookie"]> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ key: KEY });
  const opened = await fetch(`${url}/desk/api/session`, { method: "POST", headers, body });
  const [name = "", value = ""] = opened.headers.get("set-cookie")?.split(";", 1)[0]?.split("=") ?? [];
  return { name, value };
}

/** Opens the desk for an operator. */
export async function openSignedIn(page: Page, { url, cookie }: Desk): Promise<void> {
  await page.context().addCookies([{ ...cookie, url }]);
  await page.goto(url);
  await page.getByRole("table").waitFor();
}

async function addressOf(program: Program): Promise<string> {
  for (;;) {
    const url = /Desk +(\S+)\/desk/.exec(program.output())?.[1];
    if (url !== undefined) return url;
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}

async function ask({ url }: Program, content: string): Promise<void> {
  const threads = new URL("api/debug/threads", url).href;
  const headers = { "content-type": "application/json" };
  const made = await fetch(threads, { method: "POST", headers, body: "{}" });
  const cookie = made.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const { threadId } = (await made.json()) as { readonly threadId: string };
  const messages = [{ id: "q1", role: "user", content }];
  const body = JSON.stringify({ messages });
  const asked = await fetch(`${threads}/${threadId}/run/stream`, {
    method: "POST",
    headers: { ...headers, cookie },
    body,
  });
  await asked.text();
}

/** Pseudo-random numbers that are the same each time. */
function createDice(): (sides: number) => number {
  let state = 7;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

async function fill(path: string): Promise<void> {
  const storage = await openSqliteStorage({ path });
  const dice = createDice();
  const now = Date.now();
  for (let n = 1; n <= 90; n += 1) {
    const owner = { projectId: dice(3) === 0 ? "shop" : "default", visitorId: `visitor${dice(12)}` };
    const begun = now - 60_000 - n * n * 75_000 - dice(600_000);
    const at = new Date(begun).toISOString();
    const threadId = `thread${n}`;
    const [questionId, answerId, runId] = [`q${n}`, `a${n}`, `run${n}`];
    const content = questions[dice(questions.length)] ?? "";
    const firstTokenMs = 380 + dice(900);
    const endedAt = new Date(begun + firstTokenMs + 900 + dice(7_000)).toISOString();
    const run = { runId, threadId, questionId, answerId, instanceId: "pictures" };
    const question = { id: questionId, role: "user", content, parentId: null } as const;
    await storage.threads.create(owner, { threadId, updatedAt: at });
    await storage.runs.begin(owner, run, question, { regenerate: false, at });
    await storage.threads.rename(owner, threadId, content, "model");
    const fate = n === 2 ? 0 : dice(17);
    const status =
      fate === 0
        ? ({ type: "incomplete", reason: "error", error: "Модель перегружена.", code: "upstream_limited" } as const)
        : fate === 1
          ? ({ type: "incomplete", reason: "cancelled" } as const)
          : ({ type: "complete" } as const);
    const answer = { id: answerId, role: "assistant", content: "Ответ.", parentId: questionId, status } as const;
    const tokens = { inputTokens: 700 + dice(3_000), cachedInputTokens: dice(600), outputTokens: 60 + dice(500) };
    const used = [{ modelId: "gpt-5-mini", purpose: "answer", calls: 1, estimatedCalls: 0, ...tokens }];
    const figures = { rejoins: dice(9) === 0 ? 1 : 0, ...(fate > 0 && { firstTokenMs }) };
    await storage.runs.end(runId, answer, endedAt, { used, figures });
    const opinion = dice(8);
    if (fate > 1 && opinion < 2) {
      const reason = complaints[dice(4)];
      await storage.messages.rate(owner, threadId, answerId, {
        rating: opinion === 0 ? "down" : "up",
        ...(opinion === 0 && reason !== undefined && { reason }),
      });
    }
  }
  await storage.close();
}
