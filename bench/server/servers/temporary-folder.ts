import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes an empty folder. The caller removes it. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "nitka-bench-"));
}
