import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Vitest leaves one core free by default, which is half of a machine with two.
    maxWorkers: "100%",
    projects: [
      { test: { name: "protocol", root: "packages/protocol", include: ["src/**/*.test.ts"], testTimeout: 30_000 } },
      {
        test: {
          name: "widget",
          root: "packages/widget",
          include: ["*.test.ts", "src/**/*.test.{ts,tsx}"],
          environment: "happy-dom",
          testTimeout: 30_000,
        },
      },
      { test: { name: "server", root: "packages/server", include: ["src/**/*.test.ts"], testTimeout: 30_000 } },
      { test: { name: "demo-model", root: "packages/demo-model", include: ["src/**/*.test.ts"], testTimeout: 30_000 } },
      { test: { name: "nitka", root: "apps/nitka", include: ["src/**/*.test.ts"], testTimeout: 30_000 } },
      { test: { name: "scripts", root: "scripts", include: ["*.test.mjs"] } },
      { test: { name: "examples", root: "examples", include: ["*/*.test.{ts,mjs}"], testTimeout: 60_000 } },
      { test: { name: "full-stack", root: "tests", include: ["full-stack/**/*.test.ts"], testTimeout: 30_000 } },
      { test: { name: "engines", root: "tests", include: ["engines/*.test.ts"], testTimeout: 60_000 } },
    ],
  },
});
