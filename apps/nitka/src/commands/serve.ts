import { randomUUID } from "node:crypto";
import { getRequestListener } from "@hono/node-server";
import { createChatServer } from "@nitka/server";
import type { Log } from "@nitka/server";
import { createHandler } from "../create-handler.ts";
import { listen } from "../listen.ts";
import { createLog } from "../log.ts";
import { logLines } from "../log-lines.ts";
import { defaultModelId, describeModel } from "../models.ts";
import { describeStorage, openStorage } from "../open-storage.ts";
import { createPages } from "../pages.ts";
import { createProjects } from "../projects.ts";
import { readSecret } from "../read-secret.ts";
import { readSettings, secretsOf } from "../read-settings.ts";
import type { Settings } from "../read-settings.ts";
import { createWidgetFiles, isWidgetBuilt, widgetFolder } from "../serve-widget.ts";
import type { Surroundings } from "../surroundings.ts";

/** Of the ten seconds that a signal gives: then whatever still hangs is cut. */
const GRACE_MS = 8_000;

/** `nitka`: serves until a signal asks it to stop. */
export async function serve({ env, stdout, stderr, onSignal }: Surroundings): Promise<number> {
  const settings = readSettings(env);
  const log = createLog(settings.env.LOG_LEVEL, stderr.isTTY ? logLines(stderr) : stderr, secretsOf(settings));
  const stopAsked = new Promise<void>((resolve) => {
    onSignal(() => resolve());
  });
  const running = await start(settings, log);
  stdout.write(welcome(settings, running.url));
  await stopAsked;
  log.info({}, "stopping");
  await Promise.race([
    running.stop(),
    new Promise((resolve) => {
      setTimeout(resolve, GRACE_MS).unref();
    }),
  ]);
  return 0;
}

async function start(
  settings: Settings,
  log: Log,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const { env } = settings;
  const instanceId = randomUUID();
  const secret = readSecret(env.NITKA_SECRET, settings.dataFolder);
  const storage = await openStorage(settings, instanceId);
  const chat = createChatServer({
    storage,
    projects: createProjects(settings.projects, env, log),
    secret,
    instanceId,
    log,
    maxRuns: env.NITKA_MAX_RUNS,
    trustedProxies: env.NITKA_TRUSTED_PROXIES,
    ...(env.NITKA_RETENTION_DAYS === undefined ? {} : { retentionDays: env.NITKA_RETENTION_DAYS }),
  });
  const folder = widgetFolder();
  if (!isWidgetBuilt(folder)) log.warn({ folder }, "the widget is not built: run `npm run build`");
  const handler = createHandler({ chat, widget: createWidgetFiles(folder), pages: pagesOf(settings), log });
  try {
    const answer = getRequestListener(handler);
    const listening = await listen((incoming, outgoing) => void answer(incoming, outgoing), env.HOST, env.PORT);
    log.info({ url: listening.url, instanceId }, "listening");
    return {
      url: listening.url,
      stop: async () => {
        listening.stopAccepting();
        await chat.close();
        listening.closeAll();
        await storage.close();
      },
    };
  } catch (error) {
    await chat.close();
    await storage.close();
    throw error;
  }
}

/** The pages show the project `default`, or the first one where there is no such. */
function pagesOf({ projects }: Settings) {
  const projectId = Object.hasOwn(projects, "default") ? "default" : (Object.keys(projects)[0] ?? "default");
  const { title = "Nitka", imageHosts = [] } = projects[projectId] ?? {};
  return createPages({ projectId, title, imageHosts });
}

function welcome(settings: Settings, url: string): string {
  const { env, projects } = settings;
  const models = new Set(
    Object.values(projects).flatMap(
      ({ models: each, model }) => each?.map(({ id }) => id) ?? [model ?? defaultModelId(env)],
    ),
  );
  const lines = [
    `Nitka is at ${url}`,
    "",
    `  Chat      ${url}/`,
    `  Demo      ${url}/demo/ and ${url}/demo/launcher: a shop with the chat in it`,
    `  Model     ${[...models].map((id) => describeModel(id, env)).join(", ")}`,
    `  Storage   ${describeStorage(settings)}`,
    ...(env.DATABASE_URL !== undefined && env.NITKA_SECRET === undefined
      ? [
          "",
          "  Several instances on one Postgres need the same NITKA_SECRET; without it each knows only its own visitors.",
        ]
      : []),
    "",
    "  Ctrl+C ends it.",
    "",
  ];
  return `${lines.join("\n")}\n`;
}
