import type { Call } from "@tapthru/proto/call";
import { malformedBody, unavailable, uploadTooSlow } from "@tapthru/proto/general-errors";
import type { ErrorReply } from "@tapthru/proto/rules/error";
import type { Context } from "koa";
import { allowSlowBody } from "./body-deadlines.ts";
import { ApiError } from "./errors.ts";

/** Bytes of files that one process has in memory while it receives them. */
const RECEIVED_MAX_BYTES = 100 * 1_024 * 1_024;
const RECEIVED_MAX_PER_ADDRESS = 3;
const PART_BYTES = 1_024 * 1_024;
/** A file may take this long, and one second for each of these bytes: 10 MB take 330 s at most. */
const MIN_UPLOAD_MS = 10_000;
const MIN_BYTES_PER_SECOND = 32 * 1_024;
const RETRY_AFTER_SECONDS = 5;

interface Uploader {
  userId: number;
  address: string;
}

interface Upload extends Uploader {
  startedMs: number;
  chunks: Buffer[];
  heldBytes: number;
  receivedBytes: number;
}

interface FileOptions {
  maxBytes: number;
  tooLarge: ErrorReply;
  /** Takes the file in parts while it arrives, so that it is never whole in memory. */
  takePart?: ((part: Buffer) => Promise<void>) | undefined;
}

export interface Uploads {
  /**
   * Reads a body that may arrive over a slow network. If all bodies together are too large, the slowest is refused.
   * @returns what no `takePart` took
   * @throws ApiError (unavailable) also if the user or the address sends too many files
   */
  receive(uploader: Uploader, body: AsyncIterable<Buffer>, options: FileOptions): Promise<Buffer>;
}

/** A cross-site form cannot post these types. @throws ApiError if the request has another one, or is too large */
export function requireFile(ctx: Context, { file, expected, tooLarge }: FileCall): void {
  if (ctx.is(file.type) !== file.type) throw new ApiError(expected);
  if ((ctx.request.length ?? 0) > file.maxBytes) throw new ApiError(tooLarge);
}

interface FileCall extends Pick<FileOptions, "tooLarge"> {
  file: NonNullable<Call["file"]>;
  expected: ErrorReply;
}

/** Receives the file of a request, which may be slow. @param takePart as of `Uploads.receive` */
export function receiveFile(
  { uploads, addressOf }: { uploads: Uploads; addressOf(request: Context["req"]): string },
  { ctx, userId }: { ctx: Context; userId: number },
  { file: { maxBytes }, tooLarge }: FileCall,
  takePart?: FileOptions["takePart"],
): Promise<Buffer> {
  const receive = () => {
    allowSlowBody(ctx.req);
    return uploads.receive({ userId, address: addressOf(ctx.req) }, ctx.req, { maxBytes, tooLarge, takePart });
  };
  return ctx.state.releaseSlotDuring(receive, { mayReject: false });
}

export function createUploads(): Uploads {
  const uploads = new Set<Upload>();

  function refuseSlowest(): void {
    let bytes = [...uploads].reduce((sum, upload) => sum + upload.heldBytes, 0);
    if (bytes <= RECEIVED_MAX_BYTES) return;
    for (const upload of [...uploads].toSorted((a, b) => usedTime(b) - usedTime(a))) {
      if (bytes <= RECEIVED_MAX_BYTES) return;
      bytes -= upload.heldBytes;
      upload.chunks = [];
      uploads.delete(upload);
    }
  }

  return {
    async receive({ userId, address }, body, { maxBytes, tooLarge, takePart }) {
      const others = [...uploads];
      const ofAddress = others.filter((other) => other.address === address).length;
      if (others.some((other) => other.userId === userId)) throw tooMany();
      if (ofAddress >= RECEIVED_MAX_PER_ADDRESS) throw tooMany();
      const startedMs = performance.now();
      const upload: Upload = {
        userId,
        address,
        startedMs,
        chunks: [],
        heldBytes: 0,
        receivedBytes: 0,
      };
      uploads.add(upload);
      const requirePlace = () => {
        refuseSlowest();
        if (!uploads.has(upload)) throw tooMany();
      };
      const takeHeld = () => {
        const held = Buffer.concat(upload.chunks);
        upload.chunks = [];
        upload.heldBytes = 0;
        return held;
      };
      try {
        for await (const chunk of disconnectsAsErrors(body)) {
          upload.receivedBytes += chunk.length;
          upload.heldBytes += chunk.length;
          upload.chunks.push(chunk);
          if (upload.receivedBytes > maxBytes) throw new ApiError(tooLarge);
          if (usedTime(upload) > 1) throw new ApiError(uploadTooSlow);
          requirePlace();
          if (takePart !== undefined && upload.heldBytes >= PART_BYTES) await takePart(takeHeld());
        }
        requirePlace();
        if (takePart !== undefined && upload.heldBytes > 0) await takePart(takeHeld());
        return takeHeld();
      } finally {
        uploads.delete(upload);
      }
    },
  };
}

/** The stream of a request fails only if the client disconnects. */
async function* disconnectsAsErrors(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch {
    throw new ApiError(malformedBody);
  }
}

/** The part that has passed of the time that the received bytes may take. */
function usedTime({ startedMs, receivedBytes }: Upload): number {
  const allowedMs = MIN_UPLOAD_MS + (1_000 * receivedBytes) / MIN_BYTES_PER_SECOND;
  return (performance.now() - startedMs) / allowedMs;
}

function tooMany(): ApiError {
  return new ApiError(unavailable, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    reason: "Too many files are being received",
  });
}
