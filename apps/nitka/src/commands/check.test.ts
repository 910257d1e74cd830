import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runInProcess } from "./command.contract.ts";

function file(content: object): string {
  const folder = mkdtempSync(join(tmpdir(), "nitka-check-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "projects.json");
  writeFileSync(path, JSON.stringify(content));
  return path;
}

/** The warnings of `nitka check`, which exits with 0. */
async function warnings(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { code, stdout, stderr } = await runInProcess(env, "check");
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.split("\n").filter((line) => line.startsWith("! "));
}

it("nitka check warns of a key whose use no budget limits", async () => {
  const path = file({
    providers: {
      router: { type: "openai-compatible", baseUrl: "https://router.example/v1", apiKey: "hunter2hunter2" },
      own: { type: "openai-compatible", baseUrl: "http://127.0.0.1:8000/v1" },
    },
    projects: {
      open: { models: [{ id: "own:a" }, { id: "router:b" }] },
      lifted: { model: "anthropic:c", limits: { projectTokensPerDay: null } },
      titled: { model: "own:a", titleModel: "router:b" },
      bounded: { model: "router:b", limits: { projectTokensPerDay: 1_000_000 } },
      free: { model: "own:a" },
      demo: { model: "demo" },
    },
  });
  const found = await warnings({ NITKA_CONFIG: path, ANTHROPIC_API_KEY: "hunter2hunter2" });
  expect(
    found.map((line) =>
      /^! projects\.(\w+)\.limits\.projectTokensPerDay is not set, and (\S+) is/.exec(line)?.slice(1),
    ),
  ).toEqual([
    ["open", "router:b"],
    ["lifted", "anthropic:c"],
    ["titled", "router:b"],
  ]);
  expect(await warnings({ OPENAI_API_KEY: "hunter2hunter2" })).toEqual([
    expect.stringContaining(
      "projects.default.limits.projectTokensPerDay is not set, and gpt-4o-mini is used with a key",
    ),
    expect.stringContaining("projects.demo.limits.projectTokensPerDay"),
  ]);
  expect(await warnings({})).toEqual([]);
});

it("nitka check warns of a variable that misspells a setting, and of no other", async () => {
  const env = { NITKA_MODLE: "demo", nitka_model: "x", NITKA_PORT: "tcp://10.0.0.1:80", MODEL: "x" };
  expect(await warnings(env)).toEqual(["! NITKA_MODLE is not a setting: did you mean NITKA_MODEL?"]);
});

it.runIf(process.getuid?.() === 0)("nitka check warns root of a file that only root can read", async () => {
  const path = file({ projects: { default: {} } });
  chmodSync(path, 0o600);
  expect(await warnings({ NITKA_CONFIG: path })).toEqual([
    `! Only root, which runs this command, can read NITKA_CONFIG (${path}): a service that runs as another user cannot start. Give the file to that user, or pass it with systemd's LoadCredential.`,
  ]);
  chmodSync(path, 0o640);
  expect(await warnings({ NITKA_CONFIG: path })).toEqual([]);
});

it("nitka check warns of entries in toolViews and approve that name no server of the project", async () => {
  const path = file({ projects: { shop: { toolViews: { "stock/search": "hidden" }, approve: ["pay/refund"] } } });
  expect(await warnings({ NITKA_CONFIG: path })).toEqual([
    expect.stringContaining('projects.shop.approve has "pay/refund"'),
    expect.stringContaining('projects.shop.toolViews has "stock/search"'),
  ]);
});
