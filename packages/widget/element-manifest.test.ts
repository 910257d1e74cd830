import { describe, expect, it } from "vitest";
import { readFile } from "node:fs/promises";
import { globSync } from "node:fs";
import { join } from "node:path";
import { elementManifest, PARTS } from "./element-manifest.ts";

describe("custom-elements.json", () => {
  it("names the parts that the sources have", async () => {
    const files = globSync("src/**/*.{ts,tsx}", { cwd: import.meta.dirname });
    const sources = await Promise.all(files.map((path) => readFile(join(import.meta.dirname, path), "utf8")));
    const inSources = sources.flatMap((text) => [...text.matchAll(/\bpart ?= ?"([^"]+)"/g)].map(([, name]) => name));
    expect(new Set(inSources)).toEqual(new Set(Object.keys(PARTS)));
  });

  it("describes the element with its attributes, members, events and custom properties", async () => {
    const manifest = await elementManifest();
    expect(manifest).toMatchObject({
      schemaVersion: "1.0.0",
      modules: [
        {
          declarations: [
            {
              tagName: "nitka-chat",
              attributes: expect.arrayContaining([
                {
                  name: "color-scheme",
                  fieldName: "colorScheme",
                  type: { text: '"light" | "dark" | "auto"' },
                  default: '"auto"',
                  description: "The colour scheme.",
                },
              ]),
              members: expect.arrayContaining([
                { kind: "field", name: "handle", readonly: true, type: { text: "NitkaHandle" } },
              ]),
              cssProperties: expect.arrayContaining([{ name: "--nitka-accent" }, { name: "--nitka-neutral-12" }]),
            },
          ],
        },
      ],
    });
  });
});
