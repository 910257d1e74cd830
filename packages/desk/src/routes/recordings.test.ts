import { describe, expect, it } from "vitest";
import type { Message } from "@nitka/protocol";
import { finish, refusalOf, threadOpener } from "@nitka/server/test-kit";
import { deskOf, toolCall } from "../desk-client.contract.ts";
import type { DeskClient } from "../desk-client.contract.ts";
import type { RunPage } from "../run-figures.ts";
import type { RecordingReading } from "../recording.ts";

const { openHeld, openThread } = threadOpener();

describe("a recording", () => {
  it("of a run is a file with a matching second file, and the desk can replay it", async () => {
    const opened = await openHeld();
    const { model, client, threadId } = opened;
    const asked = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.say(...toolCall);
    finish(model, "Готово");
    await asked.text();
    const desk = await deskOf(opened);
    const [run] = (await desk.get<RunPage>("/runs")).runs;
    const exported = await desk.fetch(`/runs/${run?.runId}/recording/sse`);
    expect(exported.headers.get("content-disposition")).toBe(`attachment; filename="${run?.runId}.sse"`);
    const text = await exported.text();
    const reading = await desk.get<RecordingReading>(`/runs/${run?.runId}/recording/json`);
    const [, answer] = await client.messages(threadId);
    expect(reading).toMatchObject({ done: true, message: { id: answer?.id, content: answer?.content } });

    const recordingId = await opening(desk, text, "ответ <b>.sse");
    const base = `/recordings/${recordingId}/all`;
    const messages = await desk.get<readonly Message[]>(`${base}/api/debug/threads/recording/messages`);
    expect(messages.map(({ content }) => content)).toEqual(["ответ <b>.sse", []]);
    const replayed = await (await desk.fetch(`${base}/api/debug/threads/recording/run/stream`)).text();
    expect(replayed).toBe(text);
  });

  it("keeps events with several lines, and ends where an unfinished file ends", async () => {
    const desk = await deskOf(await openThread());
    const text =
      '\uFEFFdata: {"type":"text-delta",\ndata: "delta":"a"}\r\n\r\n: ping\n\ndata: {"type":"text-delta","delta":"b"}';
    const id = await opening(desk, text, "");
    const replayed = await (await desk.fetch(`/recordings/${id}/all/api/debug/threads/recording/run/stream`)).text();
    expect(replayed).toBe(
      'data: {"type":"text-delta",\ndata: "delta":"a"}\n\ndata: {"type":"text-delta","delta":"b"}\n\ndata: [DONE]\n\n',
    );
  });

  it.each([
    ["text/event-stream", "hello", "422 unprocessable"],
    ["text/event-stream", "data: hello\n\n", "422 unprocessable"],
    ["application/json", 'data: {"type":"finish"}\n\n', "415 unsupported_media_type"],
    ["text/event-stream", `data: {"type":"finish"}\n\n${"x".repeat(5_000_000)}`, "413 payload_too_large"],
  ])("of the type %s with the text %.20s is refused", async (type, body, refusal) => {
    const desk = await deskOf(await openThread());
    const headers = { "content-type": type };
    expect(await refusalOf(await desk.fetch("/recordings", { method: "POST", headers, body }))).toBe(refusal);
  });

  it("is dropped when later ones leave no room for it", async () => {
    const desk = await deskOf(await openThread());
    const large = `data: {"type":"finish"}\n\n: ${"x".repeat(4_900_000)}\n\n`;
    const ids: string[] = [];
    for (let count = 0; count < 11; count += 1) ids.push(await opening(desk, large, "large"));
    const statuses = await Promise.all(
      ids.map(async (id) => (await desk.fetch(`/recordings/${id}/all/api/debug/threads`)).status),
    );
    expect(statuses).toEqual([404, ...Array<number>(10).fill(200)]);
  });
});

async function opening(desk: DeskClient, body: string, name: string): Promise<string> {
  const headers = { "content-type": "text/event-stream" };
  const opened = await desk.fetch(`/recordings?name=${encodeURIComponent(name)}`, { method: "POST", headers, body });
  return ((await opened.json()) as { readonly recordingId: string }).recordingId;
}
