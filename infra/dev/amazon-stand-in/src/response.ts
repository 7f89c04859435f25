import { gzipSync } from "node:zlib";
import type { Fault } from "./faults.ts";

const MIB = 1_024 * 1_024;

export type StandInResponse =
  | {
      status: number;
      location?: string;
      /** Content type of the body; HTML in UTF-8 by default. */
      contentType?: string;
      contentEncoding?: string;
      body?: string | Buffer;
    }
  /** A response that violates HTTP or never ends, see faults.ts. */
  | { fault: Fault };

export interface StandInRequest {
  /** The requested host, without the port. */
  host: string;
  method: string;
  /** Path and query as received. */
  target: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

export const jsonResponse = (status: number, body: unknown): StandInResponse => ({
  status,
  contentType: "application/json",
  body: JSON.stringify(body),
});

/** 1 GiB of spaces in 1 MB: 128 concatenated gzip members (RFC 1952, 2.2). */
export function gzipBomb(): StandInResponse {
  const member = gzipSync(Buffer.alloc(8 * MIB, " "));
  const body = Buffer.concat(Array.from({ length: 128 }, () => member));
  return { status: 200, contentEncoding: "gzip", body };
}

/** `start`, followed by 10 MiB of paragraphs. */
export function hugePage(start: string): string {
  const paragraph = "<p>And another thing.</p>\n";
  return start + paragraph.repeat((10 * MIB) / paragraph.length);
}

/** A title, followed by 2 MiB of one opening tag. */
export function tagFlood(tag: string): string {
  return `<!doctype html><span id="productTitle">Lamp</span>${tag.repeat((2 * MIB) / tag.length)}`;
}
