/** The examples in Python, as processes of the system's own Python. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { findPython } from "../scripts/find-python.mjs";

/** An application of uvicorn at a free port. */
export interface PythonServer {
  /** With a slash at its end. */
  readonly url: string;
  readonly stop: () => void;
}

/**
 * @param example the folder's name
 * @param application as uvicorn takes it: `backend:app`
 */
export async function startPython(
  example: string,
  application: string,
  env: Readonly<Record<string, string>> = {},
): Promise<PythonServer> {
  const folder = fileURLToPath(new URL(example, import.meta.url));
  const args = ["-B", "-m", "uvicorn", "--app-dir", folder, application, "--port", "0"];
  const child = spawn(await findPython(), [...args, "--no-access-log"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let printed = "";
    child.stderr.on("data", (chunk) => {
      printed += String(chunk);
      const [, url] = /running on (http:\S+)/.exec(printed) ?? [];
      if (url !== undefined) resolve({ url: `${url}/`, stop: () => void child.kill() });
    });
    child.once("close", () => reject(new Error(`${example} has ended:\n${printed}`)));
  });
}
