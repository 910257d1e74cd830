import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly env_file?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks?: Readonly<Record<string, { readonly ipv4_address?: string }>>;
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const compose = parse(read("compose.yaml"), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};
const services = Object.values(compose.services);
const instances = services.filter(({ build }) => build === ".");

it("gives the instances the addresses that nginx sends requests to", () => {
  const upstream = [...read("deploy/nginx.conf").matchAll(/^ *server ([\d.]+):(\d+) /gm)];
  expect(instances).toHaveLength(2);
  expect(instances.map(({ networks }) => networks?.["inside"]?.ipv4_address)).toEqual(
    upstream.map(([, address]) => address),
  );
  const port = /\bPORT=(\d+)/.exec(read("Dockerfile"))?.[1];
  expect(upstream.map(([, , each]) => each)).toEqual([port, port]);
  expect(compose.services["nginx"]?.volumes).toEqual(["./deploy/nginx.conf:/etc/nginx/nginx.conf:ro"]);
});

it("gives Caddy the instances by their names and the image's port", () => {
  const port = /\bPORT=(\d+)/.exec(read("Dockerfile"))?.[1];
  const names = Object.keys(compose.services).filter((name) => compose.services[name]?.build === ".");
  const { environment, volumes } = compose.services["caddy"] ?? {};
  expect(environment?.["NITKA_INSTANCES"]).toBe(names.map((name) => `${name}:${port}`).join(" "));
  expect(volumes).toContain("./deploy/Caddyfile:/etc/caddy/Caddyfile:ro");
  const named = [...read("deploy/Caddyfile").matchAll(/\{\$(\w+):/g)].map(([, name]) => name);
  expect(Object.keys(environment ?? {})).toEqual(named);
});

it("uses settings that the program has, and lets answers finish before an instance ends", () => {
  const source = read("apps/nitka/src/env.ts");
  for (const { environment = {}, stop_grace_period } of instances) {
    expect(Object.keys(environment).filter((name) => !new RegExp(`^  ${name}: setting`, "m").test(source))).toEqual([]);
    expect(environment).toMatchObject({ NITKA_TRUSTED_PROXIES: "1", NITKA_SECRET: "${NITKA_SECRET:?}" });
    const grace = /NITKA_GRACE_SECONDS: setting\(\{\n.*default\((\d+)\)/.exec(source)?.[1];
    expect(Number.parseInt(stop_grace_period ?? "", 10)).toBeGreaterThan(Number(grace) + 5);
  }
});

it("passes every setting of its file to the instances, and mounts the folder of the projects file", () => {
  for (const { env_file: file, environment = {}, volumes } of instances) {
    expect(file).toBe(".env");
    // A variable that is also named here would override the file, and an empty value would hide it.
    expect(Object.values(environment).filter((value) => value.endsWith(":-}"))).toEqual([]);
    expect(volumes).toEqual(["./config:/app/config:ro"]);
  }
  expect(read("Dockerfile")).toMatch(/^WORKDIR \/app$/m);
});
