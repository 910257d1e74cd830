import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveForTest } from "@nitka/server/test-kit";
import { expect, it, onTestFinished } from "vitest";
import { openStorage } from "./open-storage.ts";
import { readSettings } from "./read-settings.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

it("the program stores files in the bucket of NITKA_FILES, with its key and endpoint", async () => {
  const asked: string[] = [];
  const endpoint = await serveForTest((request, response) => {
    const key = /Credential=(\w+)\/\d+\/([\w-]+)\//.exec(request.headers.authorization ?? "");
    asked.push([request.method, request.url, key?.[1], key?.[2], request.headers["x-amz-security-token"]].join(" "));
    request.resume().on("end", () => response.end());
  });
  const dataFolder = await mkdtemp(join(tmpdir(), "nitka-open-"));
  const settings = readSettings({
    NITKA_DATA: dataFolder,
    NITKA_FILES: "s3://chat-files/site/uploads",
    NITKA_S3_ENDPOINT: endpoint,
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "AKID",
    AWS_SECRET_ACCESS_KEY: "hidden",
    AWS_SESSION_TOKEN: "session",
  });
  const storage = await openStorage(settings, "here", silent);
  onTestFinished(async () => {
    await storage.close();
    await rm(dataFolder, { recursive: true });
  });
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield Uint8Array.of(1);
  }
  await storage.attachments.write("f1", pieces());
  expect(asked).toEqual(["PUT /chat-files/site/uploads/f1 AKID eu-central-1 session"]);
});
