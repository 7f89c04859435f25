import { cleanMetadata } from "../clean-metadata.ts";
import type { Reading } from "../source.ts";
import { classifyResponse } from "./classify.ts";
import { decodePage } from "./decode-page.ts";
import { findMetadata } from "./find-metadata.ts";

/** A page as it came. */
export interface FetchedPage {
  status: number;
  contentType: string | null;
  bytes: Uint8Array;
}

/** Takes whatever time and memory a hostile page costs: not to be called where others wait. */
export async function parsePage({ status, contentType, bytes }: FetchedPage): Promise<Reading> {
  const html = decodePage(bytes, contentType);
  const obstacle = classifyResponse(status, html);
  if (obstacle !== null) return { kind: "nothing", outcome: obstacle };
  if (!/^$|\bx?html\b/i.test(contentType ?? "")) return { kind: "nothing", outcome: "unreadable" };
  return cleanMetadata(await findMetadata(html));
}
