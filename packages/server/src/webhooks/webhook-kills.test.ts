import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Webhook } from "standardwebhooks";
import { describe, it } from "vitest";
import { postgresForFile } from "../storage/contract/postgres-for-file.contract.ts";

/**
 * The number of events, and how often the server is killed meanwhile. `NITKA_WEBHOOK_EVENTS=10000` and
 * `NITKA_WEBHOOK_KILLS=20` are the complete proof, which takes minutes.
 */
const EVENTS = Number(process.env["NITKA_WEBHOOK_EVENTS"] ?? 120);
const KILLS = Number(process.env["NITKA_WEBHOOK_KILLS"] ?? 2);

const secret = `whsec_${Buffer.from("a secret that two sides know well").toString("base64")}`;

/** The steps of a thread, in this order. A kill ends it early. */
const STEPS = ["thread.created", "run.ended", "message.rated up", "message.rated down", "message.rated null"];

interface Told {
  readonly id: string;
  readonly threadId: string;
  readonly step: string;
}

/** A receiver that fails, hangs and restarts. It counts events that it has answered with 2xx as received. */
async function startReceiver() {
  const told: Told[] = [];
  const forged: string[] = [];
  const webhook = new Webhook(secret);
  let calls = 0;
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      calls += 1;
      if (calls % 7 === 0) return response.writeHead(500).end();
      if (calls % 101 === 0) return undefined;
      if (calls % 53 === 0) return request.socket.destroy();
      const body = Buffer.concat(pieces).toString();
      try {
        const { type, data } = webhook.verify(body, request.headers as Record<string, string>) as {
          readonly type: string;
          readonly data: { readonly threadId: string; readonly rating?: string | null };
        };
        const step = type === "message.rated" ? `${type} ${String(data.rating)}` : type;
        told.push({ id: String(request.headers["webhook-id"]), threadId: data.threadId, step });
      } catch (error) {
        forged.push(String(error));
      }
      // The event was received, but the response is lost, so the event is sent again.
      return calls % 29 === 0 ? request.socket.destroy() : response.writeHead(204).end();
    });
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  const close = async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    told,
    forged,
    restart: async () => {
      await close();
      await new Promise((resolve) => setTimeout(resolve, 100));
      await listen(port);
    },
    close,
  };
}

const serverPath = fileURLToPath(new URL("testing/webhook-server.ts", import.meta.url));

/** Starts the server. `lines` are the acknowledged steps. */
function startServer(target: string, url: string, name: string, threads: number) {
  const lines: (readonly [threadId: string, step: string])[] = [];
  const child = spawn(process.execPath, [serverPath, target, url, secret, name, String(threads)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let trouble = "";
  let rest = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (trouble += text));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const whole = (rest + text).split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) lines.push(JSON.parse(line) as readonly [string, string]);
  });
  const closed = once(child, "close");
  return {
    lines,
    kill: async () => {
      child.kill("SIGKILL");
      await closed;
      return trouble;
    },
  };
}

async function until(condition: () => boolean, ms: number, what: string): Promise<void> {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Kills the server repeatedly, and returns the received events and the acknowledged steps. */
async function tellUnderKills(target: string) {
  const receiver = await startReceiver();
  const acknowledged: (readonly [string, string])[] = [];
  const perRound = Math.ceil(EVENTS / KILLS);
  for (let round = 1; round <= KILLS + 1; round += 1) {
    // The last server has no more steps, and sends the remaining events.
    const isLast = round > KILLS;
    const server = startServer(target, receiver.url, `r${round}`, isLast ? 0 : perRound);
    if (isLast) {
      const isTold = () => {
        const steps = new Set(receiver.told.map(({ threadId, step }) => `${threadId} ${step}`));
        return acknowledged.every(([threadId, step]) => steps.has(`${threadId} ${step}`));
      };
      await until(isTold, 60_000 + EVENTS * 20, "everything is told");
      // Events of unacknowledged steps arrive too.
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    } else {
      // It is killed in the middle of its work: it would run five times as long.
      await until(() => server.lines.length > perRound + ((round * 7) % 10), 60_000 + perRound * 200, "its steps");
      if (round % 2 === 0) await receiver.restart();
    }
    const trouble = await server.kill();
    if (trouble !== "") throw new Error(trouble);
    acknowledged.push(...server.lines.filter(([threadId]) => threadId !== ""));
  }
  await receiver.close();
  return { ...receiver, acknowledged };
}

describe.concurrent(`${EVENTS} events of webhooks, in ${KILLS} kills of the server, at a receiver that fails, hangs and restarts`, () => {
  const postgres = postgresForFile();
  const timeout = 120_000 + EVENTS * 200;

  /** The faults that were found. */
  async function faultsOf(target: string) {
    const { told, forged, acknowledged } = await tellUnderKills(target);
    const idsOf = Map.groupBy(told, ({ threadId, step }) => `${threadId} ${step}`);
    const byThread = Map.groupBy(told, ({ threadId }) => threadId);
    const orders = [...byThread.values()].map((ofThread) => Array.from(new Set(ofThread.map(({ step }) => step))));
    if (process.env["NITKA_WEBHOOK_EVENTS"] !== undefined) {
      const counts = `${idsOf.size} events, ${told.length} received, ${acknowledged.length} acknowledged`;
      process.stderr.write(`${counts}, ${KILLS} kills\n`);
    }
    return {
      forged,
      lost: acknowledged.filter(([threadId, step]) => !idsOf.has(`${threadId} ${step}`)),
      // The events of each thread are the first of its steps, without a gap.
      disordered: orders.filter((order) => order.some((step, index) => step !== STEPS[index])),
      doubledWithAnotherId: [...idsOf.values()].filter((same) => new Set(same.map(({ id }) => id)).size > 1),
      idsOfTwoEvents: idsOf.size - new Set(told.map(({ id }) => id)).size,
      // Otherwise nothing was proved.
      missingEvents: Math.max(0, EVENTS - idsOf.size),
      hasDoubles: told.length > idsOf.size,
    };
  }

  const none = {
    forged: [],
    lost: [],
    disordered: [],
    doubledWithAnotherId: [],
    idsOfTwoEvents: 0,
    missingEvents: 0,
    hasDoubles: true,
  };

  it(
    "loses none, keeps the order of each thread, and repeats none with another id, on SQLite",
    { timeout },
    async ({ expect }) => {
      const folder = mkdtempSync(join(tmpdir(), "nitka-webhooks-"));
      expect(await faultsOf(join(folder, "nitka.db"))).toEqual(none);
      rmSync(folder, { recursive: true, force: true });
    },
  );

  it("does the same on Postgres", { timeout }, async ({ expect }) => {
    expect(await faultsOf(await postgres.current.createDatabase())).toEqual(none);
  });
});
