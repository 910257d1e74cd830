/** The real program as a process, over real sockets. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { LLMock } from "@copilotkit/aimock";
import type { ChatCompletionRequest } from "@copilotkit/aimock";
import type { Message } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import { newVisitor, programOpener } from "./program.contract.ts";

const { spawnProgram, run, start, dataFolder, onEnd } = programOpener();

describe("The program", () => {
  it("prints its address, model and storage, and exits without an error", async () => {
    const program = await start({});
    expect(program.stdout()).toMatch(/Nitka is at http:\/\/localhost:\d+/);
    expect(program.stdout()).toContain("the built-in demo");
    expect(program.stdout()).toContain(`SQLite in ${join(dataFolder(), "nitka.db")}`);
    expect(await program.end("SIGTERM")).toBe(0);
    expect(program.stderr()).toContain('"msg":"stopping"');
  });

  it("has the same conversation after a restart, including an answer that the stop interrupted", async () => {
    const first = await start({ NITKA_DEMO_SPEED: "4" });
    const visitor = await newVisitor(first.url);
    const thread = await visitor.newThread();
    const answer = await visitor.send(thread, "Какая погода в Сан-Франциско?");
    expect(answer).toContain('"toolName":"get_weather"');
    const before = await visitor.messages(thread);
    const cut = visitor.send(thread, "Посчитай до 1000", before.at(-1)?.id);
    await visitor.untilSaid(thread, "Считаю");
    expect(await first.end("SIGINT")).toBe(0);
    await cut.catch(() => undefined);

    const second = await start({});
    const again = visitor.at(second.url);
    const after = await again.messages(thread);
    expect(after.slice(0, 2)).toEqual(before);
    expect(after.at(-1)).toMatchObject({ role: "assistant", status: { type: "incomplete", reason: "interrupted" } });
    expect(await again.threads()).toMatchObject([{ threadId: thread, title: "Погода в Сан-Франциско" }]);
    expect(await second.end("SIGTERM")).toBe(0);
  });

  it("sends the whole visible history to its upstream", async () => {
    const upstream = new LLMock({ port: 0 });
    await upstream.start();
    onEnd(() => upstream.stop());
    upstream.on({ systemMessage: "You name conversations" }, { content: "Tea" });
    upstream.onMessage("first", { content: "First answer" });
    upstream.onMessage("second", { content: "Second answer" });
    const program = await start({ OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: "key", NITKA_MODEL: "test-model" });
    expect(program.stdout()).toContain("test-model at 127.0.0.1");
    const visitor = await newVisitor(program.url);
    const thread = await visitor.newThread();
    expect(await visitor.send(thread, "The first question")).toContain('"title":"Tea"');
    await visitor.send(thread, "The second question", (await visitor.messages(thread)).at(-1)?.id);
    const bodies = upstream.getRequests().map(({ body }) => body as ChatCompletionRequest);
    expect(bodies.at(-1)).toMatchObject({
      model: "test-model",
      stream: true,
      messages: [
        { role: "user", content: "The first question" },
        { role: "assistant", content: "First answer" },
        { role: "user", content: "The second question" },
      ],
    });
    expect(await program.end("SIGTERM")).toBe(0);
    expect(program.stderr()).not.toMatch(/question|answer|Tea/);
  });

  it("exports and purges the data of a visitor", async () => {
    const program = await start({});
    const visitor = await newVisitor(program.url);
    const thread = await visitor.newThread();
    await visitor.send(thread, "сколько будет 2+2?");
    expect(await program.end("SIGTERM")).toBe(0);

    const exported = await run(["export", "--visitor", visitor.id], {});
    expect(JSON.parse(exported.stdout)).toMatchObject({
      projectId: "default",
      visitorId: visitor.id,
      threads: [{ threadId: thread, messages: [{ content: "сколько будет 2+2?" }, { role: "assistant" }] }],
    });
    expect((await run(["purge", "--visitor", visitor.id], {})).stdout).toBe(
      `Deleted 1 thread of the visitor ${visitor.id} in the project default.\n`,
    );
    expect(JSON.parse((await run(["export", "--visitor", visitor.id], {})).stdout)).toMatchObject({ threads: [] });
  });

  it("exports the rest of a visitor's data when a file is lost, and names the file", async () => {
    const program = await start({});
    const visitor = await newVisitor(program.url);
    const thread = await visitor.newThread();
    const body = new FormData();
    body.set("file", new File(["текст"], "price.txt", { type: "text/plain" }));
    expect((await visitor.call(`/${thread}/attachments`, { method: "POST", body })).status).toBe(200);
    expect(await program.end("SIGTERM")).toBe(0);
    const database = new DatabaseSync(join(dataFolder(), "nitka.db"));
    database.exec("delete from file_chunk");
    database.close();
    const { code, stdout, stderr } = await run(["export", "--visitor", visitor.id], {});
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`The file «price.txt» of the thread ${thread} is missing from the export: `) as string,
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      threads: [{ attachments: [{ data: "", missing: true }] }],
      consents: [],
    });
  });

  it("reports that a process which reads the database keeps purged data, until that process ends", async () => {
    const program = await start({});
    const visitor = await newVisitor(program.url);
    await visitor.newThread();
    expect(await program.end("SIGTERM")).toBe(0);
    const backup = new DatabaseSync(join(dataFolder(), "nitka.db"));
    backup.exec("begin; select * from thread");
    const { code, stderr } = await run(["purge", "--visitor", visitor.id], {});
    backup.close();
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^Another process, such as a backup, still reads the database/m) as string,
    ]);
  });

  it("exports and purges the data of a visitor of a project that is no longer configured", async () => {
    const shop = join(dataFolder(), "shop.json");
    writeFileSync(shop, JSON.stringify({ projects: { shop: {} } }));
    const program = await start({ NITKA_CONFIG: shop });
    const visitor = await newVisitor(`${program.url}/p/shop`);
    const thread = await visitor.newThread();
    expect(await program.end("SIGTERM")).toBe(0);
    const args = ["--visitor", visitor.id, "--project", "shop"];
    expect(JSON.parse((await run(["export", ...args], {})).stdout)).toMatchObject({ threads: [{ threadId: thread }] });
    expect((await run(["purge", ...args], {})).stdout).toContain("Deleted 1 thread");
    expect(await run(["export", ...args], {})).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--project is "shop": expected one of default, demo.\n'),
    });
  });

  it("exports everything to a reader that is slower than the program", async () => {
    const program = await start({});
    const visitor = await newVisitor(program.url);
    const long = "✓".repeat(99_000);
    const thread = await visitor.newThread();
    for (let n = 0; n < 4; n += 1) await visitor.send(thread, long);
    expect(await program.end("SIGTERM")).toBe(0);
    const { output, exited, stdout } = spawnProgram(["export", "--visitor", visitor.id], {});
    output.pause();
    await once(output, "readable");
    await sleep(500);
    output.resume();
    expect(await exited).toBe(0);
    const { threads } = JSON.parse(stdout()) as {
      readonly threads: readonly { readonly messages: readonly Message[] }[];
    };
    expect(threads[0]?.messages.filter(({ content }) => content === long)).toHaveLength(4);
  });

  it("exits with a sentence when it cannot start", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => {
      other.listen(0, "127.0.0.1", resolve);
    });
    const { port } = other.address() as AddressInfo;
    const taken = await run([], { PORT: String(port) });
    other.close();
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining(`PORT is ${port}: expected a free port`)]);
    const wrong = await run(["check"], { PORT: "abc" });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('PORT is "abc"')]);
    const config = join(dataFolder(), "projects.json");
    const orders = { type: "http", url: "https://orders.example/mcp", identify: true };
    const projects = { shop: { secret: "a secret of the shop", mcpServers: { orders } } };
    writeFileSync(config, JSON.stringify({ projects }));
    const weak = await run(["check"], { NITKA_CONFIG: config });
    expect([weak.code, weak.stdout]).toEqual([
      0,
      expect.stringContaining("! projects.shop.mcpServers.orders.identify signs tokens with the project's secret"),
    ]);
    const unknown = await run(["fly"], {});
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("--help")]);
  });
});
