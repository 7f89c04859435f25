import { ApiError } from "../errors.ts";

const PART_BYTES = 1_024 * 1_024;
const RECEIVED_MAX_PER_ADDRESS = 3;
/** Files that one process receives at a time; each has two parts in memory at most. */
const RECEIVED_MAX = 20;
/** A file may take this long, and one second for each of these bytes: 50 MB take 27 minutes at most. */
const MIN_UPLOAD_MS = 10_000;
const MIN_BYTES_PER_SECOND = 32 * 1_024;
const RETRY_AFTER_SECONDS = 5;

interface Upload {
  userId: number;
  address: string;
}

export interface FileReceiver {
  /**
   * Reads a body that may arrive over a slow network, and passes it on in parts while it arrives.
   * @throws ApiError (unavailable) also if too many files are being received
   */
  receive(
    upload: Upload,
    body: AsyncIterable<Buffer>,
    maxBytes: number,
    takePart: (part: Buffer) => Promise<void>,
  ): Promise<void>;
}

export function createFileReceiver(): FileReceiver {
  const uploads = new Set<Upload>();
  return {
    async receive(upload, body, maxBytes, takePart) {
      const others = [...uploads];
      const ofAddress = others.filter(({ address }) => address === upload.address).length;
      if (
        others.length >= RECEIVED_MAX ||
        ofAddress >= RECEIVED_MAX_PER_ADDRESS ||
        others.some(({ userId }) => userId === upload.userId)
      ) {
        throw new ApiError("unavailable", {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
          reason: "Too many files are being received",
        });
      }
      uploads.add(upload);
      try {
        await readBody(body, maxBytes, takePart);
      } finally {
        uploads.delete(upload);
      }
    },
  };
}

async function readBody(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  takePart: (part: Buffer) => Promise<void>,
): Promise<void> {
  const startedMs = performance.now();
  let received = 0;
  let chunks: Buffer[] = [];
  let waiting = 0;
  async function sendPart() {
    const part = Buffer.concat(chunks);
    [chunks, waiting] = [[], 0];
    await takePart(part);
  }
  for await (const chunk of disconnectsAsErrors(body)) {
    received += chunk.length;
    waiting += chunk.length;
    chunks.push(chunk);
    if (received > maxBytes) throw new ApiError("earnings-file-too-large");
    const allowedMs = MIN_UPLOAD_MS + (1_000 * received) / MIN_BYTES_PER_SECOND;
    if (performance.now() - startedMs > allowedMs) throw new ApiError("upload-too-slow");
    if (waiting >= PART_BYTES) await sendPart();
  }
  if (waiting > 0) await sendPart();
}

/** The stream of a request fails only if the client disconnects. */
async function* disconnectsAsErrors(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch {
    throw new ApiError("malformed-body");
  }
}
