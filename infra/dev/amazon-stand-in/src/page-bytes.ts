import { gzipSync } from "node:zlib";
import type { StandInResponse } from "./response.ts";

const MIB = 1_024 * 1_024;

export function compressed(html: string): StandInResponse {
  return { status: 200, contentEncoding: "gzip", body: gzipSync(html) };
}

/** 1 GiB of blanks in 1 MB: many compressed pieces in a row, which gzip allows. */
export function gzipBomb(): StandInResponse {
  const piece = gzipSync(Buffer.alloc(8 * MIB, " "));
  const body = Buffer.concat(Array.from({ length: 128 }, () => piece));
  return { status: 200, contentEncoding: "gzip", body };
}

/** As long as 10 MiB of ordinary paragraphs, behind what is given. */
export function hugePage(start: string): string {
  const paragraph = "<p>And another thing.</p>\n";
  return start + paragraph.repeat((10 * MIB) / paragraph.length);
}

/** 2 MiB of one opening tag behind a title. */
export function tagFlood(tag: string): string {
  return `<!doctype html><span id="productTitle">Lamp</span>${tag.repeat((2 * MIB) / tag.length)}`;
}
