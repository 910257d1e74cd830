// @vitest-environment node
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { TRIMMED, topLevelFunctions, trimmedNames, trimReact } from "./trim-react.ts";

const require = createRequire(import.meta.url);

/** The path of a file of React's packages: `react-dom-client.production.js` is in react-dom. */
function pathOf(file: string): string {
  const name = file.startsWith("react-dom") ? "react-dom" : file.replace(".production.js", "");
  const within = name === "scheduler" ? { paths: [dirname(require.resolve("react-dom/package.json"))] } : {};
  return join(dirname(require.resolve(`${name}/package.json`, within)), "cjs", file);
}

const codeOf = (file: string) => readFileSync(pathOf(file), "utf8");

/** Each mention of a trimmed function in a function that stays: `name → trimmed name`. */
function edgesOf(file: string): readonly string[] {
  const trimmed = new Set(trimmedNames(TRIMMED[file] ?? { hash: "", features: {} }));
  return topLevelFunctions(codeOf(file))
    .filter(({ name }) => !trimmed.has(name))
    .flatMap(({ name, mentions }) =>
      [...mentions].filter((mention) => trimmed.has(mention)).map((to) => `${name} → ${to}`),
    );
}

const edges = Object.keys(TRIMMED).map(
  (file) =>
    `${file}\n${edgesOf(file)
      .map((edge) => `  ${edge}\n`)
      .join("")}`,
);

describe("the trimmed functions of React", () => {
  it("are mentioned only in the listed places: a new one must be checked", async () => {
    await expect(edges.join("\n")).toMatchFileSnapshot("trim-react.edges.txt");
  });

  it("belong to one version of React: another file of the same name stops the build", () => {
    const { handler } = trimReact({ loud: false }).transform as unknown as {
      readonly handler: (code: string, id: string) => { readonly code: string };
    };
    const path = pathOf("react-dom.production.js");
    const code = codeOf("react-dom.production.js");
    expect(handler(code, path).code.split("\n")).toHaveLength(code.split("\n").length);
    expect(() => handler(`${code}\n`, path)).toThrow(
      "react-dom.production.js is not the file that trim-react.ts was written for",
    );
  });

  it("throw in the build for the tests, each with its name, and do nothing in the build that ships", () => {
    const path = pathOf("scheduler.production.js");
    const build = (loud: boolean) => {
      const { handler } = trimReact({ loud }).transform as unknown as {
        readonly handler: (code: string, id: string) => { readonly code: string };
      };
      return handler(codeOf("scheduler.production.js"), path).code;
    };
    const inner = 'throw Error("trim-react.ts: inner requestHostTimeout")';
    expect([build(true).includes(inner), build(false).includes(inner)]).toEqual([true, false]);
  });
});
