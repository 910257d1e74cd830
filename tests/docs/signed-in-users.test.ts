/**
 * The code in docs/signed-in-users.md ("A route of your server that gives the token"): each route signs tokens that our server
 * accepts.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findDebianProgram, installDebianPackages } from "../../scripts/debian-packages.mjs";
import { startProgram } from "../browser/program.ts";
import type { Program } from "../browser/program.ts";
import { codeIn, snippetsIn } from "../docs-code.ts";

const secret = "a-secret-of-the-shop-and-the-chat";
const folder = mkdtempSync(join(import.meta.dirname, ".signed-in-"));
const data = mkdtempSync(join(tmpdir(), "nitka-signed-in-"));
const env = { ...process.env, SHOP_CHAT_SECRET: secret };
const [, node = "", python = "", php = ""] = [
  ...codeIn("signed-in-users.md", "The secret of the project"),
  ...codeIn("signed-in-users.md", "A route of your server that gives the token"),
];
let program: Program;

beforeAll(async () => {
  const [projects = ""] = codeIn("signed-in-users.md", "The secret of the project");
  writeFileSync(join(data, "projects.json"), projects);
  program = await startProgram({
    NITKA_DATA: data,
    NITKA_CONFIG: join(data, "projects.json"),
    SHOP_CHAT_SECRET: secret,
  });
});
afterAll(async () => {
  await program.stop();
  rmSync(folder, { recursive: true });
  rmSync(data, { recursive: true });
});

function run(command: string, name: string, code: string): string {
  writeFileSync(join(folder, name), code);
  return execFileSync(command, [name], { cwd: folder, env, encoding: "utf8" }).trim();
}

async function threadsWith(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(new URL("p/shop/api/debug/threads", program.url), { headers })).status;
}

describe("a token of the route is accepted, and a token with another ending is refused", { timeout: 600_000 }, () => {
  it.each([
    [
      "Node",
      () => run(process.execPath, "route.mjs", `${node}\nconsole.log(await chatToken({ id: "42", name: "Аня" }));`),
    ],
    [
      "Python",
      async () => {
        const runs = () =>
          run("/usr/bin/python3", "route.py", `${python}\nprint(chat_token({"id": 42, "name": "Аня"}))`);
        try {
          return runs();
        } catch {
          await installDebianPackages(["python3", "python3-jwt"], "PyJWT, for the documents' Python");
          return runs();
        }
      },
    ],
    [
      "PHP",
      async () => {
        const interpreter = await findDebianProgram("php", "PHP, for the documents' PHP", "php-cli");
        return run(interpreter, "route.php", `${php}\necho chat_token(['id' => 42, 'name' => 'Аня']);`);
      },
    ],
  ])("%s", async (_, makeToken) => {
    const token = await makeToken();
    expect(await threadsWith(token)).toBe(200);
    expect(await threadsWith(`${token.slice(0, -4)}AAAA`)).toBe(401);
    const [, claims = ""] = token.split(".");
    expect(JSON.parse(Buffer.from(claims, "base64url").toString("utf8"))).toMatchObject({
      sub: "42",
      name: "Аня",
      aud: "shop",
    });
  });
});

it("the Russian page has the same code", () => {
  const languages = new Set(["json", "python", "php", "sh"]);
  const codeOf = (document: string) =>
    snippetsIn(document).flatMap(({ language, code }) => (languages.has(language) ? [code] : []));
  expect(codeOf("docs/ru/signed-in-users.md")).toEqual(codeOf("docs/signed-in-users.md"));
});
