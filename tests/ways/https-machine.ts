/** A machine with Caddy and its own certificate authority, and a browser that opens its sites. */
import { createHash, X509Certificate } from "node:crypto";
import type { Page } from "@playwright/test";
import { findDebianProgram } from "../../scripts/debian-packages.mjs";
import { findBrowser } from "../../scripts/find-browser.mjs";
import { root as clone } from "../../scripts/workspace.mjs";
import { snippetsIn } from "../docs-code.ts";
import { openComposer, startBrowser } from "../packages/real-browser.ts";
import type { RealBrowser } from "../packages/real-browser.ts";
import { Machine } from "./machine.ts";

/** The authority of Caddy's certificates, for curl and Node. No public authority can reach this machine. */
export const CADDY_AUTHORITY = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt";
const CADDY_SIGNER = CADDY_AUTHORITY.replace("root", "intermediate");

/** Replacements for the services that documents use and that a test machine does not have. */
export const MACHINE_FILES = {
  "/usr/local/sbin/systemctl": `#!/bin/sh\nexec /usr/bin/node ${clone}/tests/ways/systemctl.ts "$@"\n`,
};

export interface HttpsMachineOptions {
  /** The names of its hosts. */
  readonly hosts: string;
  /** The sites that exist before the document begins. */
  readonly sites: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** Starts a machine for the documents' commands. Its clone is at `/srv/nitka`, with packed packages. */
export async function startHttpsMachine({ hosts, sites, files = {} }: HttpsMachineOptions): Promise<Machine> {
  await findDebianProgram("caddy", "Caddy, to walk the ways of the documents");
  const machine = await Machine.start({
    ...MACHINE_FILES,
    "/etc/hosts": `127.0.0.1 localhost ${hosts}\n`,
    "/etc/caddy/Caddyfile": caddyfileWith(sites),
    "/usr/local/sbin/npm": `#!/bin/sh\nexec /usr/bin/npm "$@" --no-audit --no-fund\n`,
    ...files,
  });
  const prepared = machine.type(`ln -s ${clone} /srv/nitka\nsystemctl start caddy`);
  await prepared.catch(async (error: unknown) => {
    await machine.stop();
    throw error;
  });
  return machine;
}

export function caddyfileWith(sites: string): string {
  return `{\n\tlocal_certs\n\tskip_install_trust\n}\n${sites}`;
}

/** Waits until a server that was started responds there, for at most a minute. */
export async function untilServed(machine: Machine, url: string): Promise<void> {
  await machine.type(`timeout 60 sh -c 'until curl --fail --silent --output /dev/null ${url}; do sleep 0.1; done'`);
}

/** A browser in the machine's network that trusts its authorities. */
export async function browserOn(machine: Machine, authorities: readonly string[] = []): Promise<RealBrowser> {
  const keys = [CADDY_SIGNER, ...authorities]
    .map((path) => new X509Certificate(machine.read(path)).publicKey.export({ type: "spki", format: "der" }))
    .map((key) => createHash("sha256").update(key).digest("base64"));
  return startBrowser({
    executablePath: machine.inNetwork(await findBrowser()),
    args: ["--host-resolver-rules=MAP *.example 127.0.0.1", `--ignore-certificate-errors-spki-list=${keys.join(",")}`],
  });
}

/** A page of a shop with a snippet of the documents. */
export function pageWith(chat: string): string {
  return `<!doctype html><html lang="ru"><head><meta charset="utf-8"><title>Лавка</title><link rel="icon" href="data:,"></head><body>${chat}</body></html>`;
}

/** The questions of the chat that the page shows. */
export async function shownQuestions(page: Page): Promise<readonly string[]> {
  await openComposer(page);
  const questions = await page.locator("nitka-chat").getByRole("article", { name: "Вы:" }).allInnerTexts();
  // The text is between «Вы:» and the time.
  return questions.map((text) => text.split("\n")[1] ?? "");
}

/** What a reader takes from pages of `docs`, to type or to paste, and the duration of the walk. */
export interface Walk {
  /** A code block, word for word. */
  take(document: string, heading: string, index?: number): string;
  /** All blocks of a section. */
  takeAll(document: string, heading: string): readonly string[];
  /** Called when the first answer is on the page. */
  answered(): void;
  /** Prints all of it in one line. */
  end(): void;
}

export function startWalk(name: string): Walk {
  const began = performance.now();
  const taken = { commands: 0, files: 0 };
  const since = () => `${((performance.now() - began) / 1000).toFixed(0)} s`;
  let first = "never";
  const walk: Walk = {
    take(document, heading, index = 0) {
      const found = snippetsIn(`docs/${document}`).filter((each) => each.heading === heading)[index];
      if (!found) throw new Error(`docs/${document} has no block ${index} under «${heading}».`);
      const count = found.code.split("\n").filter((line) => line.trim() !== "").length;
      taken[found.language === "sh" ? "commands" : "files"] += count;
      return found.code;
    },
    takeAll: (document, heading) =>
      snippetsIn(`docs/${document}`)
        .filter((each) => each.heading === heading)
        .map((_, index) => walk.take(document, heading, index)),
    answered: () => void (first = since()),
    end() {
      const typed = `${taken.commands} lines of commands, ${taken.files} lines of files`;
      process.stdout.write(`${name}: ${typed}, the first answer after ${first}, all of it in ${since()}\n`);
    },
  };
  return walk;
}
