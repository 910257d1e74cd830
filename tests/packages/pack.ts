import type { TestProject } from "vitest/node";
import { packPackages } from "../../scripts/release/pack-packages.mjs";
import type { PackedPackage } from "../../scripts/release/pack-packages.mjs";

declare module "vitest" {
  interface ProvidedContext {
    readonly packages: readonly PackedPackage[];
  }
}

/** Packs the packages once for all tests of this project: `inject("packages")`. */
export async function setup(project: TestProject): Promise<void> {
  project.provide("packages", await packPackages());
}
