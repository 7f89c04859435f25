import { load } from "cheerio";
import { cleanMetadata } from "../clean-metadata.ts";
import type { ReadResult } from "../source.ts";
import { classifyResponse } from "./classify.ts";
import { decodePage } from "./decode-page.ts";
import { findAsin } from "./find-asin.ts";
import { findMetadata } from "./find-metadata.ts";
import { isOutOfStock } from "./out-of-stock.ts";

/** A response as received. */
export interface FetchedPage {
  status: number;
  contentType: string | null;
  bytes: Uint8Array;
}

/** May take unbounded time and memory for a hostile page: call it in a separate process only. */
export async function parsePage({ status, contentType, bytes }: FetchedPage): Promise<ReadResult> {
  const html = decodePage(bytes, contentType);
  const obstacle = classifyResponse(status, html);
  if (obstacle !== null) return { kind: "nothing", outcome: obstacle };
  if (!/^$|\bx?html\b/i.test(contentType ?? "")) return { kind: "nothing", outcome: "unreadable" };
  const $ = load(html);
  const result = cleanMetadata(await findMetadata($));
  if (result.kind !== "read") return result;
  const asin = findAsin($);
  return {
    ...result,
    ...(isOutOfStock($) && { state: "out-of-stock" }),
    ...(asin !== null && { asin }),
  };
}
