import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";
import { Webhook } from "standardwebhooks";

export const webhookSecret = `whsec_${Buffer.from("a secret that two sides know well").toString("base64")}`;

export interface Received {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The response of a receiver to a call: a status, a redirect to an address, or none (`undefined`). */
export type ReceiverAnswer = number | string | undefined;

export interface WebhookReceiver {
  readonly url: string;
  /** The calls that were verified with the secret, in order of arrival, whatever the response was. */
  readonly received: readonly Received[];
  /** The reasons why calls could not be verified. */
  readonly forged: readonly string[];
  answer: (received: Received) => ReceiverAnswer;
}

/** Starts receivers for a test, and stops them after it. */
export function webhookReceivers(): () => Promise<WebhookReceiver> {
  const closes: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0)) await close();
  });
  return async () => {
    const received: Received[] = [];
    const forged: string[] = [];
    const receiver = { answer: (): ReceiverAnswer => 204 } as { answer: WebhookReceiver["answer"] };
    const server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => (body += text));
      request.on("end", () => {
        let answer: ReceiverAnswer = 401;
        try {
          const verified = new Webhook(webhookSecret).verify(body, request.headers as Record<string, string>);
          const one = { id: String(request.headers["webhook-id"]), ...(verified as Omit<Received, "id">) };
          received.push(one);
          answer = receiver.answer(one);
        } catch (error) {
          forged.push(String(error));
        }
        if (answer === undefined) return;
        if (typeof answer === "string") response.writeHead(307, { location: answer });
        else response.writeHead(answer);
        response.end("the body is not read");
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closes.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    return Object.assign(receiver, { url, received, forged });
  };
}
