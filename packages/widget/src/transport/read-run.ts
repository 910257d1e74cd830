import { readStream } from "@nitka/protocol/read-stream";
import { STREAM_SILENCE_MS } from "../timings.ts";
import type { RunStream } from "./transport.ts";
import { withSilenceTimeout } from "./with-silence-timeout.ts";

/** @param isNeverSilent the backend sends something at least each 15 s: a longer silence means that the connection is dead */
export function readRun({ body }: Response, isNeverSilent: boolean): RunStream {
  const bytes = body ?? new Blob().stream();
  return readStream(isNeverSilent ? withSilenceTimeout(bytes, STREAM_SILENCE_MS) : bytes);
}
