/**
 * The instances of a server: the addresses that proxies use are those that the units start, and the sample of projects starts.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findNode, root } from "../../scripts/workspace.mjs";
import { runCommand } from "../../scripts/run-command.mjs";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const portsIn = (text: string) => [...text.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port);
const serverBlock = (text: string) =>
  (/^ *location \/ \{\n.*?^ *\}\n/ms.exec(text)?.[0] ?? "").split("\n").map((line) => line.trim());

it("Caddy and nginx send requests to the ports of the documents' instances", () => {
  for (const page of ["docs/install.md", "docs/ru/install.md"]) {
    const units = [...(/systemctl enable --now (nitka@.*)$/m.exec(read(page))?.[1] ?? "").matchAll(/nitka@(\d+)/g)];
    const ports = units.map(([, port]) => port);
    expect(ports).toHaveLength(2);
    const caddy = /^\treverse_proxy (.*) \{$/m.exec(read("deploy/Caddyfile"))?.[1] ?? "";
    const nginx = /^upstream nitka \{.*?^\}/ms.exec(read("deploy/nginx-site.conf"))?.[0] ?? "";
    expect([page, portsIn(caddy), portsIn(nginx)]).toEqual([page, ports, ports]);
  }
});

it("Each instance has a separate operators' port", () => {
  expect(read("deploy/nitka@.service")).toMatch(/^Environment=.*\bPORT=%i NITKA_OPS_PORT=1%i$/m);
});

it("The sample site for nginx forwards requests like the complete configuration", () => {
  const site = serverBlock(read("deploy/nginx-site.conf"));
  expect(site.length).toBeGreaterThan(10);
  expect(site).toEqual(serverBlock(read("deploy/nginx.conf")));
});

it("nitka check accepts the sample of projects, which names an origin and a budget and contains no secret", async () => {
  const folder = mkdtempSync(join(tmpdir(), "nitka-sample-"));
  const path = join(folder, "projects.json");
  writeFileSync(path, read("deploy/projects.json"));
  const check = (env: Readonly<Record<string, string>>) =>
    runCommand(findNode(), [join(root, "apps/nitka/bin/nitka.mjs"), "check"], { env: { NITKA_CONFIG: path, ...env } });
  const checked = await check({ SHOP_SECRET: "a secret of the environment" });
  const without = await check({ SHOP_SECRET: "" });
  rmSync(folder, { recursive: true });
  expect(checked).toMatchObject({ ok: true, output: expect.stringContaining("for https://shop.example") as unknown });
  expect(checked.output).not.toMatch(/^! /m);
  expect(without).toMatchObject({ ok: false, output: expect.stringContaining("SHOP_SECRET") as unknown });
  const { default: project } = (JSON.parse(read("deploy/projects.json")) as { projects: Record<string, unknown> })
    .projects;
  expect(project).toMatchObject({
    secret: "${SHOP_SECRET}",
    limits: { projectTokensPerDay: expect.any(Number) as unknown },
  });
});

it("The Russian page of the installation has the commands of the English one", () => {
  const commands = (page: string) => [...read(page).matchAll(/^```(?:sh|html)\n(.*?)^```$/gms)].map(([, code]) => code);
  expect(commands("docs/install.md").length).toBeGreaterThan(10);
  expect(commands("docs/ru/install.md")).toEqual(commands("docs/install.md"));
});
