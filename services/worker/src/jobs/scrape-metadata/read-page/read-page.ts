import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { parseAsin } from "@tapthru/proto/rules/amazon/product-id";
import { escapeHtml } from "@tapthru/proto/rules/page-style";
import openGraphScraper from "open-graph-scraper";
import type { OgObject } from "open-graph-scraper/types";
import { cleanMetadata } from "../clean-metadata.ts";
import type { ReadResult } from "../source.ts";
import { classifyResponse } from "./classify.ts";
import { findElements, type PageElements } from "./page-elements.ts";

interface FetchedPage {
  status: number;
  contentType: string | null;
  bytes: Uint8Array;
}

export async function readPage({ status, contentType, bytes }: FetchedPage): Promise<ReadResult> {
  const html = decodePage(bytes, contentType);
  const obstacle = classifyResponse(status, html);
  if (obstacle !== null) return { kind: "nothing", outcome: obstacle };
  const elements = /^$|\bx?html\b/i.test(contentType ?? "") ? await findElements(html) : null;
  if (elements === null) return { kind: "nothing", outcome: "unreadable" };
  const { ogTitle, ogImage = [], ogDescription, ogSiteName } = await readOpenGraph(elements);
  const result = cleanMetadata({
    titles: [elements.title, ogTitle],
    images: [...elements.images, ...ogImage.map(({ url }) => url)],
    description: ogDescription,
    siteName: ogSiteName,
  });
  if (result.kind !== "read") return result;
  const asin = findAsin(elements);
  return {
    ...result,
    // False if the page does not say so for certain. By elements, because the texts are in many languages.
    ...(elements.saysOutOfStock && !elements.canBeBought && { state: "out-of-stock" }),
    ...(asin !== null && { asin }),
  };
}

/** The library is the customer's choice. It sends no request, because it gets no address. */
async function readOpenGraph({ openGraph }: PageElements): Promise<OgObject> {
  const tags = openGraph.map(
    ({ name, content }) => `<meta property="${escapeHtml(name)}" content="${escapeHtml(content)}">`,
  );
  try {
    return (await openGraphScraper({ html: tags.join(""), onlyGetOpenGraphInfo: true })).result;
  } catch {
    // It rejects for a page that it cannot read.
    return {};
  }
}

/**
 * The product that a page says it shows; null if it does not say. The field of the cart names the chosen variation, the
 * canonical address may name another one.
 */
function findAsin({ cartAsin, canonicalUrl }: PageElements): string | null {
  const inCart = parseAsin(cartAsin ?? "");
  if (inCart !== null) return inCart;
  const page = parseStorePage(canonicalUrl ?? "");
  return page?.kind === "product" ? page.asin : null;
}

const IN_HEADER = /charset\s*=\s*["']?([\w:-]+)/i;
const IN_META = /<meta[^<>]+?charset\s*=[\s"']*([\w:-]+)/i;
/** The number of bytes in which browsers search for a charset declaration. */
const META_SEARCH_BYTES = 1_024;

/** The text of a page: in UTF-8 if it is valid, with any declared charset, or else in the first declared one that fits. */
export function decodePage(bytes: Uint8Array, contentType: string | null): string {
  const start = Buffer.from(bytes.subarray(0, META_SEARCH_BYTES)).toString("latin1");
  const declaredCharsets = [IN_HEADER.exec(contentType ?? "")?.[1], IN_META.exec(start)?.[1]].filter(isKnown);
  for (const charset of ["utf-8", ...declaredCharsets]) {
    const text = decodeExactly(bytes, charset);
    if (text !== null) return text;
  }
  return new TextDecoder(declaredCharsets[0]).decode(bytes);
}

function isKnown(charset: string | undefined): charset is string {
  try {
    return charset !== undefined && new TextDecoder(charset) !== null;
  } catch {
    return false;
  }
}

/** Returns null if the bytes are invalid in the charset; a page may end within a character. */
function decodeExactly(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
