import type { Call } from "@tapthru/proto/call";
import { malformedBody, unavailable, uploadTooSlow } from "@tapthru/proto/general-errors";
import type { ErrorReply } from "@tapthru/proto/rules/error";
import type { Context } from "koa";
import { allowSlowBody } from "./body-deadlines.ts";
import { ApiError } from "./errors.ts";

/** A process has a part of each in memory. */
const UPLOADS_MAX = 50;
const UPLOADS_MAX_PER_ADDRESS = 3;
const PART_BYTES = 1_024 * 1_024;
/** A file may take this long, and one second for each of these bytes. */
const MIN_UPLOAD_MS = 10_000;
const MIN_BYTES_PER_SECOND = 32 * 1_024;
/** The longest time that a file may take. */
export const uploadMs = (maxBytes: number) => MIN_UPLOAD_MS + (1_000 * maxBytes) / MIN_BYTES_PER_SECOND;
const RETRY_AFTER_SECONDS = 5;

interface Uploader {
  userId: number;
  address: string;
}

interface FileOptions {
  maxBytes: number;
  tooLarge: ErrorReply;
  /** Takes the file in parts while it arrives, so that it is never whole in memory. */
  takePart(part: Buffer): Promise<void>;
}

export interface Uploads {
  /**
   * Reads a body that may arrive over a slow network.
   * @throws ApiError (unavailable) if the user, the address or all together send too many files
   */
  receive(uploader: Uploader, body: AsyncIterable<Buffer>, options: FileOptions): Promise<void>;
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

/** Receives the file of a request, which may be slow. */
export function receiveFile(
  { uploads, addressOf }: { uploads: Uploads; addressOf(request: Context["req"]): string },
  { ctx, userId }: { ctx: Context; userId: number },
  { file: { maxBytes }, tooLarge }: FileCall,
  takePart: FileOptions["takePart"],
): Promise<void> {
  const receive = () => {
    allowSlowBody(ctx.req);
    return uploads.receive({ userId, address: addressOf(ctx.req) }, ctx.req, { maxBytes, tooLarge, takePart });
  };
  return ctx.state.releaseSlotDuring(receive, { mayReject: false });
}

export function createUploads(): Uploads {
  const uploaders = new Set<Uploader>();
  return {
    async receive(uploader, body, { maxBytes, tooLarge, takePart }) {
      const others = [...uploaders];
      const ofAddress = others.filter(({ address }) => address === uploader.address).length;
      const isSending = others.some(({ userId }) => userId === uploader.userId);
      if (isSending || ofAddress >= UPLOADS_MAX_PER_ADDRESS || others.length >= UPLOADS_MAX) throw tooMany();
      uploaders.add(uploader);
      const startedMs = performance.now();
      let chunks: Buffer[] = [];
      let heldBytes = 0;
      let receivedBytes = 0;
      const takeHeld = async () => {
        const part = Buffer.concat(chunks);
        chunks = [];
        heldBytes = 0;
        await takePart(part);
      };
      try {
        for await (const chunk of disconnectsAsErrors(body)) {
          chunks.push(chunk);
          heldBytes += chunk.length;
          receivedBytes += chunk.length;
          if (receivedBytes > maxBytes) throw new ApiError(tooLarge);
          const allowedMs = uploadMs(receivedBytes);
          if (performance.now() - startedMs > allowedMs) throw new ApiError(uploadTooSlow);
          if (heldBytes >= PART_BYTES) await takeHeld();
        }
        if (heldBytes > 0) await takeHeld();
      } finally {
        uploaders.delete(uploader);
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

function tooMany(): ApiError {
  return new ApiError(unavailable, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    reason: "Too many files are being received",
  });
}
