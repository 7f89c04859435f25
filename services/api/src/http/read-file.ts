import type { Context } from "koa";
import { ApiError } from "../errors.ts";
import { allowSlowBody } from "./body-deadlines.ts";

export interface FileLimits {
  /** The content type; others are rejected, so that a cross-site form cannot post. */
  type: string;
  maxBytes: number;
}

/** A file may take this long, and one second for each of these bytes: 10 MB take 330 s at most. */
const MIN_UPLOAD_MS = 10_000;
const MIN_BYTES_PER_SECOND = 32 * 1_024;

/** Reads a body that is not JSON, also over a slow network. */
export async function readFile(ctx: Context, { type, maxBytes }: FileLimits): Promise<Buffer> {
  if (ctx.is(type) !== type) throw new ApiError("csv-expected");
  if ((ctx.request.length ?? 0) > maxBytes) throw new ApiError("import-file-too-large");
  allowSlowBody(ctx.req);
  const started = performance.now();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new ApiError("import-file-too-large");
      const allowedMs = MIN_UPLOAD_MS + (1_000 * size) / MIN_BYTES_PER_SECOND;
      if (performance.now() - started > allowedMs) throw new ApiError("upload-too-slow");
      chunks.push(chunk);
    }
  } catch (error) {
    // The stream of a request fails only if the client disconnects.
    throw error instanceof ApiError ? error : new ApiError("malformed-body");
  }
  return Buffer.concat(chunks);
}
