import { installDebianPackages } from "./debian-packages.mjs";
import { runCommand } from "./run-command.mjs";

const packages = ["python3-fastapi", "python3-uvicorn", "python3-jwt"];

/**
 * Finds the Python that has the packages of the examples. On Debian, as root, it installs them if they are missing.
 *
 * @returns {Promise<string>}
 */
export async function findPython() {
  const found = await installed();
  if (found !== undefined) return found;
  await installDebianPackages(packages, "FastAPI, for the examples in Python");
  const python = await installed();
  if (python !== undefined) return python;
  throw new Error(`No Python has FastAPI, uvicorn and PyJWT: install ${packages.join(", ")}, or run pip install.`);
}

async function installed() {
  // Debian's own Python may come after another one on the path, which has none of Debian's packages.
  for (const python of ["python3", "/usr/bin/python3", "python"]) {
    const { ok } = await runCommand(python, ["-c", "import fastapi, uvicorn, jwt"]);
    if (ok) return python;
  }
  return undefined;
}
