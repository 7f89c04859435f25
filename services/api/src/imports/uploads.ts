import pLimit from "p-limit";
import { ApiError } from "../errors.ts";

/** Bytes of files that one process receives at a time. */
const RECEIVED_MAX_BYTES = 100 * 1_024 * 1_024;
const RECEIVED_MAX_PER_ADDRESS = 3;
/** A file may take this long, and one second for each of these bytes: 10 MB take 330 s at most. */
const MIN_UPLOAD_MS = 10_000;
const MIN_BYTES_PER_SECOND = 32 * 1_024;
/** A file of 10 MB and its lines take about 100 MB while they are read. Other files wait. */
const MAX_READ = 2;
const RETRY_AFTER_SECONDS = 5;

interface Uploader {
  userId: number;
  address: string;
}

interface Upload extends Uploader {
  startedMs: number;
  chunks: Buffer[];
  bytes: number;
}

export interface Uploads {
  /**
   * Reads a body that may arrive over a slow network. If all bodies together are too large, the slowest is refused.
   * @throws ApiError (unavailable) also if the user or the address sends too many files
   */
  receive(uploader: Uploader, body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer>;
  /** Runs a function that reads a received file, once it is its turn. */
  read<T>(run: () => Promise<T>): Promise<T>;
}

export function createUploads(): Uploads {
  const uploads = new Set<Upload>();

  function refuseSlowest(): void {
    let bytes = [...uploads].reduce((sum, upload) => sum + upload.bytes, 0);
    if (bytes <= RECEIVED_MAX_BYTES) return;
    for (const upload of [...uploads].toSorted((a, b) => usedTime(b) - usedTime(a))) {
      if (bytes <= RECEIVED_MAX_BYTES) return;
      bytes -= upload.bytes;
      upload.chunks = [];
      uploads.delete(upload);
    }
  }

  return {
    async receive({ userId, address }, body, maxBytes) {
      const others = [...uploads];
      const ofAddress = others.filter((other) => other.address === address).length;
      if (others.some((other) => other.userId === userId)) throw tooMany();
      if (ofAddress >= RECEIVED_MAX_PER_ADDRESS) throw tooMany();
      const upload = { userId, address, startedMs: performance.now(), chunks: [], bytes: 0 };
      uploads.add(upload);
      try {
        await readBody(body, upload, maxBytes, () => {
          refuseSlowest();
          if (!uploads.has(upload)) throw tooMany();
        });
        return Buffer.concat(upload.chunks);
      } catch (error) {
        // The stream of a request fails only if the client disconnects.
        throw error instanceof ApiError ? error : new ApiError("malformed-body");
      } finally {
        uploads.delete(upload);
      }
    },
    read: pLimit(MAX_READ),
  };
}

/** @param checkPlace called after each chunk and at the end */
async function readBody(
  body: AsyncIterable<Buffer>,
  upload: Upload,
  maxBytes: number,
  checkPlace: () => void,
): Promise<void> {
  for await (const chunk of body) {
    upload.bytes += chunk.length;
    upload.chunks.push(chunk);
    if (upload.bytes > maxBytes) throw new ApiError("import-file-too-large");
    if (usedTime(upload) > 1) throw new ApiError("upload-too-slow");
    checkPlace();
  }
  checkPlace();
}

/** The part that has passed of the time that the received bytes may take. */
function usedTime({ startedMs, bytes }: Upload): number {
  const allowedMs = MIN_UPLOAD_MS + (1_000 * bytes) / MIN_BYTES_PER_SECOND;
  return (performance.now() - startedMs) / allowedMs;
}

function tooMany(): ApiError {
  return new ApiError("unavailable", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    reason: "Too many files are being received",
  });
}
