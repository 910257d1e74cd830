import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readSettings } from "../read-settings.ts";
import { createServedKnowledge } from "./served-knowledge.ts";

it("a reading whose process dies while it prints its report becomes a line in the log, and the server continues", async () => {
  const folder = mkdtempSync(join(tmpdir(), "nitka-readings-"));
  const config = join(folder, "projects.json");
  const knowledge = { sources: [{ sitemap: "http://127.0.0.1:9/sitemap.xml" }], every: "1h" };
  writeFileSync(config, JSON.stringify({ projects: { shop: { knowledge } } }));
  const settings = readSettings({ NITKA_DATA: folder, NITKA_CONFIG: config });
  const dying =
    'import { writeSync } from "node:fs"; writeSync(1, "{\\"added\\":"); process.kill(process.pid, "SIGKILL");';
  const env = { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(dying)}` };
  const lines: unknown[] = [];
  const note = (fields: object, text: string) => lines.push({ ...fields, text });
  const log = { info: note, warn: note, error: note };
  const served = createServedKnowledge({ settings, env, log, clock: () => new Date() });
  onTestFinished(async () => {
    await served.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  served.startReadings(() => settings.projects);
  await expect.poll(() => lines).toHaveLength(1);
  expect(lines).toEqual([
    { project: "shop", error: "Error: nitka ingest has ended with SIGKILL: ", text: "the pages could not be read" },
  ]);
});
