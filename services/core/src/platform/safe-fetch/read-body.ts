import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { FETCH_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { SafeFetchError } from "./errors.ts";

export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

export interface BodyPrefix {
  bytes: Buffer;
  /** The body was longer, was cut off, or did not arrive in time. */
  truncated: boolean;
}

/** Decompresses and reads the body as far as it arrived, at most 2 MiB; an incomplete body is usable. */
export async function readBody(stream: Readable, encoding: string | null): Promise<BodyPrefix> {
  const chunks: Buffer[] = [];
  let remainingBytes = FETCH_MAX_BYTES;
  const decompressed = decompress(stream, encoding);
  try {
    for await (const chunk of decompressed as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, remainingBytes));
      if (chunk.length > remainingBytes) return { bytes: Buffer.concat(chunks), truncated: true };
      remainingBytes -= chunk.length;
    }
  } catch {
    return { bytes: Buffer.concat(chunks), truncated: true };
  }
  return { bytes: Buffer.concat(chunks), truncated: false };
}

function decompress(stream: Readable, encoding: string | null): Readable {
  switch (encoding?.trim().toLowerCase() ?? "identity") {
    case "identity":
      return stream;
    case "gzip":
    case "x-gzip":
      return pipeline(stream, createGunzip(), ignore);
    case "deflate":
      return pipeline(stream, createInflate(), ignore);
    case "br":
      return pipeline(stream, createBrotliDecompress(), ignore);
    default:
      throw new SafeFetchError("bad-response");
  }
}

/** `pipeline` requires a callback. The reader receives errors from the stream itself. */
function ignore() {}
