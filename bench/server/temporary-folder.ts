import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new, empty folder. Whoever asks for it removes it. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "nitka-bench-"));
}
