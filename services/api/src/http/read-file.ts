import type { Context } from "koa";
import { ApiError } from "../errors.ts";

export interface FileLimits {
  /** The content type; others are rejected, so that a cross-site form cannot post. */
  type: string;
  maxBytes: number;
}

/** Reads a body that is not JSON. */
export async function readFile(ctx: Context, { type, maxBytes }: FileLimits): Promise<Buffer> {
  if (ctx.is(type) !== type) throw new ApiError("csv-expected");
  if ((ctx.request.length ?? 0) > maxBytes) throw new ApiError("import-file-too-large");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new ApiError("import-file-too-large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
