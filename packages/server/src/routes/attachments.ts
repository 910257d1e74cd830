import type { Attachment } from "@nitka/protocol";
import type { AttachmentService } from "../services/files/attachment-service.ts";
import { readRange } from "../http/read-range.ts";
import { readUpload } from "../http/read-upload.ts";
import { operation } from "./operation.ts";
import type { AnyOperation, OperationResponse } from "./operation.ts";
import { attachment } from "./wire-schemas.ts";

/** Images that cannot contain a script. A browser may display these; every other file is downloaded. */
const INLINE_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);

export function attachmentOperations(attachments: AttachmentService): readonly AnyOperation[] {
  return [
    operation({
      name: "uploadAttachment",
      method: "POST",
      path: "/api/debug/threads/:id/attachments",
      summary: "Uploads a file for a later message: a multipart form with the field `file`.",
      takes: "upload",
      responses: { 200: { description: "the attachment, to be sent with the message", schema: attachment } },
      needsConsent: true,
      async handle({ request, owner, project, id, take, takeBytes, slowBodyMs }): Promise<OperationResponse> {
        const open = (maxBytes: number) => readUpload(request, maxBytes, slowBodyMs);
        const allowance = { admit: () => take("uploads"), take: takeBytes };
        return { type: "json", value: await attachments.upload(owner, project, id, open, allowance) };
      },
    }),
    operation({
      name: "getAttachment",
      method: "GET",
      path: "/api/debug/attachments/:id",
      summary: "The bytes of an attachment, for the visitor who owns it.",
      takes: "nothing",
      responses: {
        200: { description: "the bytes", contentType: "application/octet-stream" },
        206: { description: "the bytes of the requested range", contentType: "application/octet-stream" },
        304: { description: "not modified: the bytes of a file never change" },
      },
      async handle({ request, owner, id }): Promise<OperationResponse> {
        const found = await attachments.find(owner, id);
        const { size } = found;
        const headers = {
          "accept-ranges": "bytes",
          // Proxies must not transform the file: a range and a length refer to the stored bytes.
          "cache-control": "private, no-cache, no-transform",
          etag: `"${id}"`,
          ...attachmentHeaders(found),
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

/** The headers that tell a browser the type of a file, and whether to display or download it. */
export function attachmentHeaders({ name, contentType }: Pick<Attachment, "name" | "contentType">) {
  return {
    "content-type": contentType,
    "content-disposition": disposition(name, INLINE_TYPES.has(contentType)),
  };
}

/**
 * A `Content-Disposition` header (RFC 6266): the name in ASCII for old clients, and the full name in RFC 5987's
 * encoding.
 *
 * @example disposition("é.txt", false) // attachment; filename="_.txt"; filename*=UTF-8''%C3%A9.txt
 */
function disposition(name: string, inline: boolean): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const real = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${inline ? "inline" : "attachment"}; filename="${plain}"; filename*=UTF-8''${real}`;
}
