import { describe, expect, it } from "vitest";
import type { Attachment, Message } from "@nitka/protocol";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { eventsOf, refusalOf, serverOpener } from "../contract/server.contract.ts";
import type { OpenOptions } from "../contract/server.contract.ts";

const open = serverOpener();

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const PDF = new TextEncoder().encode("%PDF-1.7 …");

async function openThread(options: OpenOptions = {}) {
  const opened = await open(options);
  const client = await opened.visitor();
  const threadId = await client.newThread();
  const upload = async (bytes: string | Uint8Array<ArrayBuffer>, name: string, type: string) =>
    (await (await client.upload(threadId, new File([bytes], name, { type }))).json()) as Attachment;
  return { ...opened, client, threadId, upload };
}

describe("an upload", () => {
  it("responds with the attachment, as a question references it", async () => {
    const { upload } = await openThread();
    const id = expect.stringMatching(/^[0-9a-z]{24}$/);
    const url = expect.stringMatching(/^api\/debug\/attachments\/[0-9a-z]{24}$/);
    expect([
      await upload(PNG, "Снимок 1.png", "image/png"),
      await upload(PDF, "C:\\Документы\\договор.pdf", "application/pdf"),
      await upload("Привет", "notes.txt", "text/plain;charset=utf-8"),
    ]).toEqual([
      { id, url, type: "image", name: "Снимок 1.png", contentType: "image/png", size: 11 },
      { id, url, type: "document", name: "договор.pdf", contentType: "application/pdf", size: 12 },
      { id, url, type: "document", name: "notes.txt", contentType: "text/plain", size: 12 },
    ]);
  });

  it("gets the type of its bytes if it has none, or for a text the type of its name", async () => {
    const { upload } = await openThread();
    const types = [
      await upload(PNG, "picture", ""),
      await upload("a;b", "table.csv", ""),
      await upload("line", "app.log", "application/octet-stream"),
    ];
    expect(types.map(({ contentType }) => contentType)).toEqual(["image/png", "text/csv", "text/plain"]);
  });

  it.each([
    [
      "of a kind that is not taken",
      new File(["PK"], "a.zip", { type: "application/zip" }),
      "415 unsupported_media_type",
    ],
    ["that is not what it says", new File(["<script>"], "a.png", { type: "image/png" }), "415 unsupported_media_type"],
    [
      "of bytes that call themselves text",
      new File([new Uint8Array([0, 1, 2])], "a.txt", { type: "text/plain" }),
      "415 unsupported_media_type",
    ],
    ["with nothing in it", new File([], "a.txt", { type: "text/plain" }), "422 unprocessable"],
    ["that is too large", new File(["a".repeat(101)], "a.txt", { type: "text/plain" }), "413 payload_too_large"],
    [
      "that is far too large",
      new File(["a".repeat(200_000)], "a.txt", { type: "text/plain" }),
      "413 payload_too_large",
    ],
  ])("is refused: one %s", async (_, file, refusal) => {
    const { client, threadId } = await openThread({ project: { config: { attachments: { maxBytes: 100 } } } });
    expect(await refusalOf(await client.upload(threadId, file))).toBe(refusal);
  });

  it("names the limit that it exceeds", async () => {
    const { client, threadId } = await openThread({ project: { config: { attachments: { maxBytes: 100 } } } });
    const response = await client.upload(threadId, new File(["a".repeat(101)], "a.txt", { type: "text/plain" }));
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toBe("The file a.txt has more than the 100 bytes that are accepted.");
  });

  it("must be one file in the field `file` of a form", async () => {
    const { client, threadId } = await openThread();
    const post = async (body: string | FormData, headers: Record<string, string> = {}) =>
      refusalOf(await client.fetch(`threads/${threadId}/attachments`, { method: "POST", body, headers }));
    const form = (...names: readonly string[]) => {
      const made = new FormData();
      for (const name of names) made.append(name, new File(["a"], "a.txt", { type: "text/plain" }));
      return made;
    };
    const words = new FormData();
    words.set("file", "a.txt");
    expect([
      await post(form()),
      await post(form("image")),
      await post(form("file", "file")),
      await post(words),
      await post("file", { "content-type": "text/plain" }),
      await post("file", { "content-type": "multipart/form-data" }),
      await post("file", { "content-type": "multipart/form-data; boundary=x" }),
      await post("file", { "content-type": `multipart/form-data; boundary=${"x".repeat(5_000)}` }),
      await post("file", { "content-type": "multipart/form-data; boundary=" }),
    ]).toEqual([
      "422 unprocessable",
      "422 unprocessable",
      "422 unprocessable",
      "422 unprocessable",
      "415 unsupported_media_type",
      "415 unsupported_media_type",
      "400 bad_request",
      "400 bad_request",
      "400 bad_request",
    ]);
  });

  it("is refused in a project without attachments, and after too many in a minute", async () => {
    const file = new File(["a"], "a.txt", { type: "text/plain" });
    const none = await openThread({ project: { config: { attachments: false } } });
    expect(await refusalOf(await none.client.upload(none.threadId, file))).toBe("422 unprocessable");
    const few = await openThread({ project: { limits: { uploadsPerMinute: 1 } } });
    await few.client.upload(few.threadId, file);
    const response = await few.client.upload(few.threadId, file);
    expect([response.headers.get("retry-after"), await refusalOf(response)]).toEqual(["60", "429 rate_limited"]);
  });
});

describe("an attachment's bytes", () => {
  it("have headers that keep scripts from running, and are inline only for images", async () => {
    const { client, upload } = await openThread();
    const headersOf = async (attachment: Attachment) => {
      const { status, headers } = await client.get(`/${attachment.url}`);
      const names = [
        "content-type",
        "content-disposition",
        "content-length",
        "x-content-type-options",
        "content-security-policy",
      ];
      return [status, ...names.map((name) => headers.get(name))];
    };
    const policy = "default-src 'none'; frame-ancestors 'none'; sandbox";
    expect(await headersOf(await upload(PNG, 'Снимок "1".png', "image/png"))).toEqual([
      200,
      "image/png",
      `inline; filename="______ _1_.png"; filename*=UTF-8''%D0%A1%D0%BD%D0%B8%D0%BC%D0%BE%D0%BA%20%221%22.png`,
      "11",
      "nosniff",
      policy,
    ]);
    expect(await headersOf(await upload("<script>alert(1)</script>", "a.html", "text/html"))).toEqual([
      200,
      "text/html",
      `attachment; filename="a.html"; filename*=UTF-8''a.html`,
      "25",
      "nosniff",
      policy,
    ]);
  });

  it("are those of the upload, and are not sent again for a matching If-None-Match", async () => {
    const { client, upload } = await openThread();
    const { url } = await upload(PNG, "a.png", "image/png");
    const response = await client.get(`/${url}`);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(PNG);
    const again = await client.get(`/${url}`, { "if-none-match": response.headers.get("etag") ?? "" });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });
});

describe("a message with attachments", () => {
  it("stores its uploads as the server knows them, not as the client describes them", async () => {
    const { client, threadId, upload } = await openThread();
    const attachment = await upload("Привет", "notes.txt", "text/plain");
    const { id, url } = attachment;
    const lie = { id, url, type: "image", name: "evil.exe", contentType: "image/png", size: 1 } as const;
    await eventsOf(await client.ask(threadId, { id: "q1", content: "", attachments: [lie] }));
    expect((await client.messages(threadId))[0]).toMatchObject({ content: "", attachments: [attachment] });
    expect(await client.threads()).toMatchObject([{ title: "Приветствие" }]);
  });

  it("gives the model their bytes, of uploads and of data URLs", async () => {
    const model = createHeldModel();
    const { client, threadId, upload } = await openThread({ model });
    const uploaded = await upload(PNG, "a.png", "image/png");
    const inline = {
      id: "x",
      type: "document",
      name: "a.txt",
      contentType: "text/plain",
      size: 2,
      url: "data:text/plain;base64,SGk=",
    } as const;
    await client.ask(threadId, { id: "q1", attachments: [uploaded, inline] });
    await model.asked(1);
    const [request] = model.requests;
    const bytes: unknown[] = [];
    for (const one of request?.history[0]?.attachments ?? []) bytes.push(await request?.readAttachment(one));
    expect(bytes).toEqual([PNG, new TextEncoder().encode("Hi")]);
  });

  it("is stored with the addresses of its data URLs' uploads, without their bytes", async () => {
    const { client, threadId } = await openThread();
    const text = "a,b\n".repeat(200_000);
    const sent = { id: "x", name: "C:\\a.csv", contentType: "text/csv", url: `data:text/csv;base64,${btoa(text)}` };
    const question = { id: "q1", role: "user", content: "Привет", attachments: [sent] };
    await eventsOf(await client.post(`threads/${threadId}/run/stream`, { messages: [question] }));
    const listed = await (await client.get(`threads/${threadId}/messages`)).text();
    expect(listed.length).toBeLessThan(2_000);
    const [kept] = (JSON.parse(listed) as Message[]).flatMap(({ attachments = [] }) => attachments);
    expect(kept).toEqual({
      id: kept?.id,
      type: "document",
      name: "a.csv",
      contentType: "text/csv",
      size: text.length,
      url: `api/debug/attachments/${kept?.id}`,
    });
    expect(await (await client.get(`/${kept?.url}`)).text()).toBe(text);
  });

  it("has its data URLs checked and counted like uploads", async () => {
    const { client, threadId } = await openThread({ project: { limits: { storageBytes: 5 } } });
    const ask = (type: string, text: string) => {
      const url = `data:${type};base64,${btoa(text)}`;
      const attachments = [{ id: "x", type: "file", name: "a", contentType: type, size: 1, url }] as const;
      return client.ask(threadId, { id: "q1", attachments });
    };
    expect([
      await refusalOf(await ask("image/png", "text")),
      await refusalOf(await ask("text/plain", "\0\0")),
      await refusalOf(await ask("text/plain", "longer")),
    ]).toEqual(["415 unsupported_media_type", "415 unsupported_media_type", "413 storage_exceeded"]);
    expect((await ask("text/plain", "short")).status).toBe(200);
  });

  it("is refused when they are another visitor's, of another thread, unknown, too many, or web addresses", async () => {
    const { visitor, client, threadId, upload } = await openThread();
    const other = await visitor();
    const file = new File(["a"], "a.txt", { type: "text/plain" });
    const foreign = (await (await other.upload(await other.newThread(), file)).json()) as Attachment;
    const elsewhere = (await (await client.upload(await client.newThread(), file)).json()) as Attachment;
    const own = await upload("a", "a.txt", "text/plain");
    const ask = async (...attachments: readonly Attachment[]) =>
      refusalOf(await client.ask(threadId, { id: "q1", attachments }));
    expect([
      await ask(foreign),
      await ask(elsewhere),
      await ask({ ...own, id: "nothing" }),
      await ask(own, own, own, own, own, own),
      await ask({ ...own, id: "web", url: "https://evil.example/a.txt" }),
      await ask({ ...own, url: "data:text/plain;base64,SGk" }),
      await ask({ ...own, url: "data:application/zip;base64,SGk=" }),
    ]).toEqual(Array.from({ length: 7 }, () => "422 unprocessable"));
    expect((await client.ask(threadId, { id: "q1", attachments: [own, own, own, own, own] })).status).toBe(200);
  });

  it("is refused in a project without attachments", async () => {
    const { client, threadId } = await openThread({ project: { config: { attachments: false } } });
    const content = [{ type: "image" as const, image: `data:image/png;base64,${btoa("\x89PNG")}` }];
    expect(await refusalOf(await client.ask(threadId, { id: "q1", content }))).toBe("422 unprocessable");
  });
});
