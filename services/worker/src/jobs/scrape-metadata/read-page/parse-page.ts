import { parseJson } from "@tapthru/core/platform/parse-json";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { parseAsin } from "@tapthru/proto/rules/amazon/product-id";
import { type CheerioAPI, load } from "cheerio";
import openGraphScraper from "open-graph-scraper";
import type { OgObject } from "open-graph-scraper/types";
import * as z from "zod/mini";
import { cleanMetadata, type RawMetadata } from "../clean-metadata.ts";
import type { ReadResult } from "../source.ts";
import { classifyResponse } from "./classify.ts";
import { decodePage } from "./decode-page.ts";

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
  const result = cleanMetadata(findMetadata($, await readOpenGraph($)));
  if (result.kind !== "read") return result;
  const asin = findAsin($);
  return {
    ...result,
    ...(isOutOfStock($) && { state: "out-of-stock" }),
    ...(asin !== null && { asin }),
  };
}

/** The main images of products, books and Kindle books. */
const PRODUCT_IMAGES = "#landingImage, #imgBlkFront, #ebooksImgBlkFront";

/**
 * The Open Graph tags of a page. The library is the customer's choice. It sends no request, because it gets no address, and
 * only the elements that it needs: it would parse the page once more.
 */
async function readOpenGraph($: CheerioAPI): Promise<OgObject> {
  try {
    const html = $.html($("meta"));
    return (await openGraphScraper({ html, onlyGetOpenGraphInfo: true })).result;
  } catch {
    // It rejects for a page that it cannot read.
    return {};
  }
}

/** The metadata of a page: from Amazon's own elements, then from Open Graph tags. */
function findMetadata($: CheerioAPI, { ogTitle, ogImage = [], ogDescription, ogSiteName }: OgObject): RawMetadata {
  return {
    titles: [$("#productTitle").first().prop("innerText"), ogTitle],
    images: [...productImages($), ...ogImage.map(({ url }) => url)],
    description: ogDescription,
    siteName: ogSiteName,
  };
}

/** For each image: first the large version, then those for all screen sizes, then the initial one. */
function productImages($: CheerioAPI): (string | undefined)[] {
  return $(PRODUCT_IMAGES)
    .toArray()
    .flatMap(({ attribs }) => [
      attribs["data-old-hires"],
      ...largestFirst(attribs["data-a-dynamic-image"]),
      attribs.src,
    ]);
}

/** Widths and heights by address. */
const DynamicImage = z.record(z.string(), z.tuple([z.number(), z.number()]));

function largestFirst(json = "{}"): string[] {
  const sizes = z.safeParse(DynamicImage, parseJson(json)).data ?? {};
  const areas = Object.entries(sizes).map(([url, [width, height]]) => ({
    url,
    area: width * height,
  }));
  return areas.sort((one, other) => other.area - one.area).map(({ url }) => url);
}

/**
 * The product that a page says it shows; null if it does not say. The field of the cart names the chosen variation, the
 * canonical address may name another one.
 */
function findAsin($: CheerioAPI): string | null {
  const inCart = parseAsin($("input#ASIN").attr("value") ?? "");
  if (inCart !== null) return inCart;
  const page = parseStorePage($('link[rel="canonical"]').attr("href") ?? "");
  return page?.kind === "product" ? page.asin : null;
}

/**
 * The box that product pages of all stores show instead of the price: "Currently unavailable. We don't know when or if
 * this item will be back in stock." Elements of the same name around it are on every page.
 */
const OUT_OF_STOCK = "#outOfStock";
/** Ways to buy the product, or another seller's: the box may be of one seller or variation only. */
const WAYS_TO_BUY =
  "#add-to-cart-button, #buy-now-button, #one-click-button, #buybox-see-all-buying-choices, #rcx-subscribe-submit-button-announce, #preorder-button";

/** By elements, because the texts are in many languages. False if the page does not say so for certain. */
function isOutOfStock($: CheerioAPI): boolean {
  return $(OUT_OF_STOCK).text().trim() !== "" && $(WAYS_TO_BUY).length === 0;
}
