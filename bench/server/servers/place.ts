import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTemporaryPostgres } from "@nitka/server/temporary-postgres";
import type { TemporaryPostgres } from "@nitka/server/temporary-postgres";
import { startProcess } from "./start-process.ts";
import type { Process } from "./start-process.ts";

/** The resources of a measurement. They end with it, in reverse order. */
export class Place implements AsyncDisposable {
  readonly #ends: (() => unknown)[] = [];

  /** @param end awaited at the end, whatever the result of the measurement is */
  defer(end: () => unknown): void {
    this.#ends.push(end);
  }

  folder(): string {
    const path = mkdtempSync(join(tmpdir(), "nitka-bench-"));
    this.defer(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
    return path;
  }

  /** @param script a file of `bench/server`, or an address */
  process(script: string | URL, settings: Readonly<Record<string, string>> = {}): Process {
    const process = startProcess(new URL(script, new URL("../", import.meta.url)), settings);
    this.defer(() => process.stop());
    return process;
  }

  /** Our server, on SQLite unless the settings name a database. */
  async chatServer(settings: Readonly<Record<string, string>> = {}) {
    const database = settings["BENCH_DATABASE"] ?? join(this.folder(), "nitka.db");
    const server = this.process("servers/chat-server.ts", { ...settings, BENCH_DATABASE: database });
    return { server, url: await server.call<string>("listen") };
  }

  /** The settings of the program with a model behind HTTP. */
  async upstream(): Promise<Readonly<Record<"OPENAI_BASE_URL" | "OPENAI_API_KEY", string>>> {
    const url = await this.process("servers/upstream.ts").call<string>("listen");
    return { OPENAI_BASE_URL: url, OPENAI_API_KEY: "none" };
  }

  async postgres(): Promise<TemporaryPostgres> {
    const postgres = await startTemporaryPostgres();
    this.defer(() => postgres.stop());
    return postgres;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends.toReversed()) await end();
  }
}
