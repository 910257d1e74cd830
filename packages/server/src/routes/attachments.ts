import type { AttachmentService } from "../services/attachment-service.ts";
import { readRange } from "../http/read-range.ts";
import { readUpload } from "../http/read-upload.ts";
import { operation } from "./operation.ts";
import type { AnyOperation, Reply } from "./operation.ts";
import { attachment } from "./wire.ts";

/** Pictures that cannot carry a script: the only files that a browser may show rather than save. */
const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);

export function attachmentOperations(attachments: AttachmentService): readonly AnyOperation[] {
  return [
    operation({
      name: "uploadAttachment",
      method: "POST",
      path: "/api/debug/threads/:id/attachments",
      summary: "Keeps a file for a message to come: a multipart form with the field `file`.",
      takes: "upload",
      answers: { 200: { description: "the attachment, to be sent with the message", schema: attachment } },
      welcomesStrangers: false,
      async handle({ request, owner, project, id, take, takeBytes }): Promise<Reply> {
        const open = (maxBytes: number) => readUpload(request, maxBytes);
        const leave = { admit: () => take("uploads"), take: takeBytes };
        return { type: "json", value: await attachments.upload(owner, project, id, open, leave) };
      },
    }),
    operation({
      name: "getAttachment",
      method: "GET",
      path: "/api/debug/attachments/:id",
      summary: "The bytes of an attachment, for the visitor who owns it.",
      takes: "nothing",
      answers: {
        200: { description: "the bytes", contentType: "application/octet-stream" },
        206: { description: "the bytes of the asked range", contentType: "application/octet-stream" },
        304: { description: "the bytes are the same as ever" },
      },
      welcomesStrangers: false,
      async handle({ request, owner, id }): Promise<Reply> {
        const { name, contentType, size } = await attachments.find(owner, id);
        const headers = {
          "accept-ranges": "bytes",
          "cache-control": "private, no-cache",
          etag: `"${id}"`,
          "content-type": contentType,
          "content-disposition": disposition(name, SHOWN.has(contentType)),
        };
        if (request.headers.get("if-none-match") === headers.etag) return { type: "empty", status: 304, headers };
        const range = readRange(request, size, headers.etag);
        const { start, end } = range ?? { start: 0, end: size };
        return {
          type: "pieces",
          status: range ? 206 : 200,
          pieces: await attachments.read(owner, id, { start, end }),
          headers: {
            ...headers,
            "content-length": String(end - start),
            ...(range && { "content-range": `bytes ${start}-${end - 1}/${size}` }),
          },
        };
      },
    }),
  ];
}

/** RFC 6266: a plain name for old readers, the real one in RFC 5987's spelling. */
function disposition(name: string, shown: boolean): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const real = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${shown ? "inline" : "attachment"}; filename="${plain}"; filename*=UTF-8''${real}`;
}
