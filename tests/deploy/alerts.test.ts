/** Checks the files for Prometheus and Grafana in deploy/ against the server's metrics and with their own tools. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { findDebianProgram } from "../../scripts/debian-packages.mjs";

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string) => readFileSync(pathOf(path), "utf8");

const { groups } = parse(read("deploy/alerts.yml")) as {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
};
const rules = groups.flatMap((group) => group.rules);

const dashboard = JSON.parse(read("deploy/grafana-dashboard.json")) as {
  readonly panels: readonly {
    readonly title: string;
    readonly gridPos: Readonly<Record<"x" | "y" | "w" | "h", number>>;
    readonly targets: readonly { readonly expr: string }[];
  }[];
};

/** The server's metrics, including those that Prometheus derives from a histogram. */
const known = new Set(
  ["metrics.ts", "limit-metrics.ts", "process-metrics.ts"].flatMap((file) =>
    [...read(`packages/server/src/http/${file}`).matchAll(/"((?:nitka|process)_\w+)"/g)].map(([, name]) => name),
  ),
);
const metricsOf = (expr: string) =>
  [...expr.matchAll(/\b(?:nitka|process)_\w+/g)].map(([name]) => name.replace(/_(?:bucket|count|sum)$/, ""));

describe("Prometheus", () => {
  it("alerts on metrics that the server has, and operating.md names each alert", () => {
    const named = rules.flatMap(({ expr }) => metricsOf(expr));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    const documented = read("docs/operating.md");
    expect(rules.filter(({ alert }) => !documented.includes(`\`${alert}\``))).toEqual([]);
  });

  it("accepts the rules and the configuration", async () => {
    const promtool = await findDebianProgram("promtool", "promtool, to check deploy/alerts.yml", "prometheus");
    for (const args of [
      ["check", "rules", pathOf("deploy/alerts.yml")],
      ["check", "config", pathOf("deploy/prometheus.yml")],
    ]) {
      const { status, stdout, stderr } = spawnSync(promtool, args, { encoding: "utf8" });
      expect([args[1], status, stderr]).toEqual([args[1], 0, ""]);
      expect(stdout).toContain(`SUCCESS: ${rules.length} rules found`);
    }
  });

  it("scrapes the operators' ports of the two units, under the name that the alerts ask for", () => {
    const { scrape_configs: jobs } = parse(read("deploy/prometheus.yml")) as {
      readonly scrape_configs: readonly { readonly job_name: string; readonly static_configs: readonly object[] }[];
    };
    const units = /systemctl enable --now (nitka@.*)$/m.exec(read("docs/install.md"))?.[1] ?? "";
    const targets = [...units.matchAll(/nitka@(\d+)/g)].map(([, port]) => `127.0.0.1:1${port}`);
    expect(targets).toHaveLength(2);
    expect(jobs).toEqual([{ job_name: "nitka", static_configs: [{ targets }] }]);
    expect(rules.find(({ alert }) => alert === "NitkaInstanceDown")?.expr).toBe('up{job="nitka"} == 0');
  });
});

describe("Grafana's dashboard", () => {
  it("shows metrics that the server has, in panels beside each other", () => {
    const { panels } = dashboard;
    const named = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsOf(expr)));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  it("uses expressions that Prometheus accepts", async () => {
    const promtool = await findDebianProgram(
      "promtool",
      "promtool, to check deploy/grafana-dashboard.json",
      "prometheus",
    );
    const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const asRules = expressions.map((expr, n) => ({
      record: `panel${n}`,
      expr: expr.replaceAll("$__rate_interval", "5m"),
    }));
    const folder = mkdtempSync(join(tmpdir(), "nitka-panels-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    // JSON is valid YAML.
    const file = join(folder, "panels.yml");
    writeFileSync(file, JSON.stringify({ groups: [{ name: "panels", rules: asRules }] }));
    const { status, stdout, stderr } = spawnSync(promtool, ["check", "rules", file], { encoding: "utf8" });
    expect([status, stderr, stdout]).toEqual([0, "", expect.stringContaining(`${expressions.length} rules found`)]);
  });
});
