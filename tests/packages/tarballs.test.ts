import { globSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { problemAffectsResolutionKind } from "@arethetypeswrong/core/problems";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { describe, expect, inject, it } from "vitest";
import { billOfMaterials } from "../../scripts/release/bill-of-materials.mjs";
import type { PackedPackage } from "../../scripts/release/pack-packages.mjs";

/** The files that every package has. */
const common = /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
const compiled = /^dist\/.+\.(js|d\.ts)$/;

/** The files of each package by pattern. */
const expected: Readonly<Record<string, readonly RegExp[]>> = {
  "@nitka/protocol": [common, compiled],
  "@nitka/server": [common, compiled],
  "@nitka/demo-model": [common, compiled],
  "@nitka/desk": [common, compiled, /^pages\/([\w-]+\.(html|js)|styles\/[\w-]+\.css)$/],
  "@nitka/conformance": [common, compiled],
  "@nitka/ai-sdk": [common, compiled],
  "@nitka/knowledge": [common, compiled],
  "@nitka/widget": [
    common,
    /^custom-elements\.json$/,
    /^dist\/(whole\/)?([\w-]+\.(js|css)(\.map)?|manifest\.json|licenses\.txt)$/,
    /^esm\/.+\.(js|css|map|txt)$/,
    /^types\/.+\.d\.ts$/,
  ],
  nitka: [
    common,
    compiled,
    /^bin\/nitka\.mjs$/,
    /^deploy\/(Caddyfile|nginx(-site)?\.conf|nitka(@\.service|-backup(\.service|\.timer)?)?|projects\.json)$/,
    /^deploy\/(alerts\.yml|grafana-dashboard\.json|prometheus\.yml)$/,
    /^pages\/.+\.(html|css|js|svg)$/,
  ],
};

/** Files of this repository's tests. The packages' own `testing` entries do not count. */
const ofTests = /\.(test|spec|contract)\.|(^|\/)(fixtures|tests?)\/|crash-writer|temporary-postgres|tsconfig/;

it("the bill of materials lists what is installed with the packages and what the widget contains", async () => {
  const packages = inject("packages");
  const { components, dependencies } = await billOfMaterials(packages.map(({ name }) => name));
  const names = components.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["kysely", "jose", "pg", "zod", "pino", "react", "react-dom", "temml", "micromark"]),
  );
  // No package contains tools of the repository.
  for (const tool of ["vitest", "typescript", "happy-dom", "fastify", "@modelcontextprotocol/sdk"])
    expect(names).not.toContain(tool);
  expect(new Set(components.map((component) => component["bom-ref"])).size).toBe(components.length);
  const known = new Set(components.map((component) => component["bom-ref"]));
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !known.has(ref))).toEqual([]);
  const react = components.find(({ name }) => name === "react")?.["bom-ref"];
  const widget = dependencies.find(({ ref }) => ref.startsWith("@nitka/widget@"));
  expect(widget?.dependsOn).toContain(react);
});

describe.each(inject("packages"))("The tarball of $name", ({ name, folder, tarball }) => {
  it("has its own files, and none of the tests", async () => {
    const known = expected[name] ?? [];
    const files = await filesOf({ name, tarball });
    expect(files.filter((file) => ofTests.test(file) || !known.some((pattern) => pattern.test(file)))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(["package.json", "README.md", "LICENSE"]));
  });

  it("names no file of the repository's sources, and only packages that npm has", async () => {
    const manifest = await readFile(join(folder, "package.json"), "utf8");
    expect(manifest).not.toMatch(/\.\/src\/|"(file|link|workspace):|devDependencies/);
    expect(JSON.parse(manifest)).toMatchObject({ name, license: "MIT", publishConfig: { provenance: true } });
  });

  it("passes publint without a finding", async () => {
    const bytes = await readFile(tarball);
    const tarballBytes = new Uint8Array(bytes).buffer;
    const { messages, pkg } = await publint({ pack: { tarball: tarballBytes }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });
});

/** The program is not a library: nothing is imported from it. */
const libraries = inject("packages").filter(({ name }) => name !== "nitka");

it.each(libraries)("$name has types that modules and bundlers resolve", async ({ tarball }) => {
  const analysis = await checkPackage(createPackageFromTarballData(await readFile(tarball)));
  if (!analysis.types) throw new Error("The package has no types.");
  // The packages contain only modules: `require` and the resolution from before `exports` do not count.
  const ours = analysis.problems.filter((problem) =>
    (["node16-esm", "bundler"] as const).some((kind) => problemAffectsResolutionKind(problem, kind, analysis)),
  );
  expect(ours).toEqual([]);
});

it("the widget's source maps have its own sources, and none of its dependencies", async () => {
  const { folder } = packageNamed("@nitka/widget");
  const maps = globSync("dist/*.map", { cwd: folder }).map(
    (path) => JSON.parse(readFileSync(join(folder, path), "utf8")) as SourceMap,
  );
  const texts = maps.flatMap(({ sources, sourcesContent }) =>
    sources.map((source, index) => [/\/node_modules\//.test(source), sourcesContent[index] != null]),
  );
  expect([...new Set(texts.map(String))].toSorted()).toEqual(["false,true", "true,false"]);
});

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
}

function packageNamed(wanted: string): PackedPackage {
  const found = inject("packages").find(({ name }) => name === wanted);
  if (!found) throw new Error(`${wanted} is not packed.`);
  return found;
}

async function filesOf({ name, tarball }: Pick<PackedPackage, "name" | "tarball">): Promise<readonly string[]> {
  const folder = `/node_modules/${name}/`;
  return createPackageFromTarballData(await readFile(tarball))
    .listFiles()
    .map((path) => path.replace(folder, ""));
}
