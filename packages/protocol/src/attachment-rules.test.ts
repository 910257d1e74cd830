import { expect, it } from "vitest";
import { fullAttachmentRules } from "./attachment-rules.ts";

it("default to images, PDF and text, 10 MB per file, 5 files per message, unless the project sets others or accepts none", () => {
  const defaults = { accept: "image/*,application/pdf,text/*", maxBytes: 10_000_000, maxCount: 5 };
  expect([fullAttachmentRules(), fullAttachmentRules({ maxCount: 1 }), fullAttachmentRules(false)]).toEqual([
    defaults,
    { ...defaults, maxCount: 1 },
    undefined,
  ]);
});
