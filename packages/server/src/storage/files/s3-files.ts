import { AwsClient } from "aws4fetch";
import { FileLostError, FileRefusedError, StorageUnavailableError } from "../storage.ts";
import type { FileStore } from "./file-store.ts";
import { PIECE_BYTES, inChunks } from "./in-chunks.ts";

export interface S3FilesOptions {
  /**
   * For example `https://s3.eu-central-1.amazonaws.com`: the bucket is the first segment of the path. When the host
   * begins with the bucket's name, as in `https://files.s3.eu-central-1.amazonaws.com`, the paths do not contain the
   * bucket (virtual-hosted style).
   */
  readonly endpoint: string;
  readonly bucket: string;
  /** A folder for the files: `nitka` makes the keys `nitka/<id>`. Default: none. */
  readonly prefix?: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The session token of a temporary key. It is never renewed. */
  readonly sessionToken?: string | undefined;
}

/** The size of a part of a multipart upload, in bytes. S3 accepts smaller parts only at the end. */
const PART_BYTES = 5_242_880;

/**
 * The longest silence of the store, in milliseconds: before the head of a response, and between two pieces of its body.
 */
const SILENCE_MS = 30_000;

/** How often a request is sent again after a network error or a 5xx response. */
const RETRIES = 3;

/**
 * Files in an S3 bucket that any number of instances may share. A file is either complete or absent. When a process
 * dies during an upload, the uploaded parts stay in the bucket: give it a lifecycle rule that aborts incomplete
 * multipart uploads.
 */
export function createS3Files(options: S3FilesOptions): FileStore {
  const { endpoint, bucket, prefix = "", region, accessKeyId, secretAccessKey } = options;
  const key = { accessKeyId, secretAccessKey, ...(options.sessionToken && { sessionToken: options.sessionToken }) };
  const client = new AwsClient({ ...key, region, service: "s3", retries: RETRIES });
  const path = new URL(endpoint).hostname.startsWith(`${bucket}.`) ? [prefix] : [bucket, prefix];
  const root = [endpoint.replace(/\/+$/, ""), ...path.filter((each) => each !== "")].join("/");

  function urlOf(fileId: string, query = ""): string {
    if (!/^[\w-]{1,128}$/.test(fileId)) throw new Error(`The id ${JSON.stringify(fileId)} cannot be a file's name.`);
    return `${root}/${fileId}${query}`;
  }

  /** Waits for the store; rejects after `SILENCE_MS` of silence. */
  async function patiently<T>(work: () => Promise<T>, silence: AbortController): Promise<T> {
    const timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      return await work();
    } catch (cause) {
      throw new StorageUnavailableError(`The store ${endpoint} for files cannot be reached.`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  /** @throws {StorageUnavailableError} for every response except success and the 404 of a missing file */
  async function request(url: string, init: RequestInit): Promise<S3Response> {
    const silence = new AbortController();
    const response = await patiently(() => client.fetch(url, { ...init, signal: silence.signal }), silence);
    let read: Promise<string> | undefined;
    const text = () => (read ??= patiently(() => response.text(), silence));
    async function* pieces(): AsyncGenerator<Uint8Array> {
      const reader = response.body?.getReader();
      try {
        for (;;) {
          const piece = await patiently(async () => reader?.read(), silence);
          if (!piece?.value) return;
          yield piece.value;
        }
      } finally {
        await reader?.cancel().catch(() => undefined);
      }
    }
    const { status, headers } = response;
    const answer = { status, headers, text, pieces, leave: async () => response.body?.cancel() };
    if (response.ok) return answer;
    const says = /<Code>(\w+)<\/Code>/.exec(await text())?.[1] ?? "nothing more";
    if (status === 404 && init.method !== "PUT" && says !== "NoSuchBucket") return answer;
    const problem = `The store ${endpoint} for files responds with ${status} (${says}) for the bucket ${bucket}`;
    if (!isRefusal(status)) throw new StorageUnavailableError(`${problem}.`);
    throw new FileRefusedError(`${problem}: check its address, its name and the key.`);
  }

  async function uploadOf(fileId: string): Promise<string> {
    const text = await (await request(urlOf(fileId, "?uploads"), { method: "POST" })).text();
    const uploadId = /<UploadId>([^<]+)<\/UploadId>/.exec(text)?.[1];
    if (uploadId === undefined)
      throw new StorageUnavailableError(`The store ${endpoint} for files did not start an upload.`);
    return encodeURIComponent(uploadId);
  }

  async function writePart(fileId: string, uploadId: string, number: number, body: Uint8Array): Promise<string> {
    const url = urlOf(fileId, `?partNumber=${number}&uploadId=${uploadId}`);
    const tag = (await request(url, { method: "PUT", body: Buffer.from(body) })).headers.get("etag") ?? "";
    return `<Part><PartNumber>${number}</PartNumber><ETag>${tag}</ETag></Part>`;
  }

  async function complete(fileId: string, uploadId: string, parts: readonly string[]): Promise<void> {
    const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
    const response = await request(urlOf(fileId, `?uploadId=${uploadId}`), { method: "POST", body });
    // S3 may respond with 200 and report an error in the body.
    if (response.status === 200 && (await response.text()).includes("<CompleteMultipartUploadResult")) return;
    throw new StorageUnavailableError(`The store ${endpoint} for files did not complete the upload of ${fileId}.`);
  }

  async function writeInParts(fileId: string, first: Uint8Array, rest: AsyncIterator<Uint8Array>): Promise<void> {
    const uploadId = await uploadOf(fileId);
    try {
      const parts = [await writePart(fileId, uploadId, 1, first)];
      for (let next = await rest.next(); !next.done; next = await rest.next()) {
        parts.push(await writePart(fileId, uploadId, parts.length + 1, next.value));
      }
      await complete(fileId, uploadId, parts);
    } catch (error) {
      await request(urlOf(fileId, `?uploadId=${uploadId}`), { method: "DELETE" }).catch(() => undefined);
      throw error;
    }
  }

  return {
    name: "s3",
    heldBytes: 2 * PART_BYTES,

    async write(fileId, pieces) {
      const chunks = inChunks(pieces, PART_BYTES);
      try {
        const first = await chunks.next();
        const body: Uint8Array = first.value ?? new Uint8Array();
        if (body.length === PART_BYTES) await writeInParts(fileId, body, chunks);
        else await request(urlOf(fileId), { method: "PUT", body: Buffer.from(body) });
      } finally {
        await chunks.return(undefined);
      }
    },

    async *read(fileId, { start, end }) {
      if (start >= end) return;
      const response = await request(urlOf(fileId), { method: "GET", headers: { range: `bytes=${start}-${end - 1}` } });
      if (response.status === 404) throw new FileLostError(`The file ${fileId} is not in the bucket ${bucket}.`);
      if (response.status !== 206 && start > 0) {
        await response.leave();
        throw new FileRefusedError(`The store ${endpoint} for files does not support byte ranges.`);
      }
      let left = end - start;
      for await (const piece of inChunks(response.pieces(), PIECE_BYTES)) {
        // A store may ignore the range and send more than requested (RFC 9110, 14.2); some do so for a range that
        // begins at 0.
        const asked = piece.subarray(0, left);
        left -= asked.length;
        if (asked.length > 0) yield asked;
        if (left === 0) return;
      }
      if (left > 0) throw new FileLostError(`The file ${fileId} ends before byte ${end} in the bucket ${bucket}.`);
    },

    async delete(fileId) {
      const { text } = await request(urlOf(fileId), { method: "DELETE" });
      await text();
    },
  };
}

/** An S3 response whose body must arrive without a silence longer than `SILENCE_MS`. */
interface S3Response extends Pick<Response, "status" | "headers"> {
  readonly text: () => Promise<string>;
  readonly pieces: () => AsyncGenerator<Uint8Array>;
  /** Closes a body that is not needed. */
  readonly leave: () => Promise<void>;
}

/** Whether a retry would be refused too: any 4xx status except 408 (timeout) and 429 (too many requests). */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
