import { expect, it } from "vitest";
import { fullAttachmentRules } from "./attachment-rules.ts";

it("are images, PDF and text, 10 MB a file, 5 files a message, unless the project says otherwise or takes none", () => {
  const defaults = { accept: "image/*,application/pdf,text/*", maxBytes: 10_000_000, maxCount: 5 };
  expect([fullAttachmentRules(), fullAttachmentRules({ maxCount: 1 }), fullAttachmentRules(false)]).toEqual([
    defaults,
    { ...defaults, maxCount: 1 },
    undefined,
  ]);
});
