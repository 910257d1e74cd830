import { describe, expect, it } from "vitest";
import { entrySources, publishedManifest } from "./published-manifest.mjs";

const manifest = {
  name: "@nitka/example",
  version: "0.2.0",
  type: "module",
  files: ["bin", "dist"],
  exports: {
    ".": "./src/index.ts",
    "./view": "./src/ui/view.tsx",
    "./*": "./src/*.ts",
    "./kit": "./src/model/kit.contract.ts",
    "./fake": "./src/storage/testing/fake.ts",
    "./package.json": "./package.json",
  },
  imports: { "#main": "./src/main.ts" },
  scripts: { build: "node build.ts" },
  dependencies: { "@nitka/protocol": "0.2.0", pg: "8.23.1" },
  devDependencies: { vitest: "5.1.1" },
  publishConfig: { access: "public", provenance: true, directory: "../../dist/packages/example" },
};

const place = { folder: "packages/example", repository: { type: "git", url: "git+https://host.example/nitka.git" } };

describe("publishedManifest", () => {
  it("names compiled files, and leaves out what only the repository needs", () => {
    expect(publishedManifest(manifest, place)).toEqual({
      name: "@nitka/example",
      version: "0.2.0",
      type: "module",
      files: ["bin", "dist"],
      repository: { type: "git", url: "git+https://host.example/nitka.git", directory: "packages/example" },
      exports: {
        ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
        "./view": { types: "./dist/ui/view.d.ts", default: "./dist/ui/view.js" },
        "./*": { types: "./dist/*.d.ts", default: "./dist/*.js" },
        "./package.json": "./package.json",
      },
      imports: { "#main": "./dist/main.js" },
      dependencies: { "@nitka/protocol": "0.2.0", pg: "^8.23.1" },
      publishConfig: { access: "public", provenance: true },
    });
  });

  it("has the fields of publishConfig in place of those in the repository", () => {
    const publishConfig = {
      ...manifest.publishConfig,
      exports: { ".": "./esm/index.js" },
      peerDependencies: { react: ">=18" },
    };
    const { exports, peerDependencies, publishConfig: kept } = publishedManifest({ ...manifest, publishConfig }, place);
    expect({ exports, peerDependencies, kept }).toEqual({
      exports: { ".": "./esm/index.js" },
      peerDependencies: { react: ">=18" },
      kept: { access: "public", provenance: true },
    });
  });
});

describe("entrySources", () => {
  it("has the sources behind the published entries", () => {
    expect(entrySources(manifest)).toEqual(["./src/index.ts", "./src/ui/view.tsx", "./src/*.ts", "./src/main.ts"]);
  });
});
