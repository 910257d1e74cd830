/** The examples in Python, as processes of the system's own Python. */
import { execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { installDebianPackages } from "../scripts/debian-packages.mjs";

const run = promisify(execFile);
const packages = ["python3-fastapi", "python3-uvicorn", "python3-jwt"];

/** The Python that has the examples' packages; on Debian, as root, they are installed where they are missing. */
export async function findPython(): Promise<string> {
  const found = await installed();
  if (found !== undefined) return found;
  await installDebianPackages(packages, "FastAPI, for the examples in Python");
  const python = await installed();
  if (python !== undefined) return python;
  throw new Error(`No Python has FastAPI, uvicorn and PyJWT: install ${packages.join(", ")}, or run pip install.`);
}

async function installed(): Promise<string | undefined> {
  // Debian's own Python may stand behind another one on the path, which knows none of Debian's packages.
  for (const python of ["python3", "/usr/bin/python3", "python"]) {
    const reply = await run(python, ["-c", "import fastapi, uvicorn, jwt"]).catch(() => undefined);
    if (reply) return python;
  }
  return undefined;
}

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
