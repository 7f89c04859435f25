import { parseJson } from "@tapthru/runtime/unreadable";
import type { CheerioAPI } from "cheerio";
import openGraphScraper from "open-graph-scraper";
import * as z from "zod/mini";
import type { RawMetadata } from "../clean-metadata.ts";

/** The main images of products, books and Kindle books. */
const PRODUCT_IMAGES = "#landingImage, #imgBlkFront, #ebooksImgBlkFront";

/** The metadata of a page: from Amazon's own elements, then from Open Graph tags. */
export async function findMetadata($: CheerioAPI): Promise<RawMetadata> {
  const { ogTitle, ogDescription, ogSiteName, ogImage = [] } = await readOpenGraph($);
  return {
    titles: [$("#productTitle").first().prop("innerText"), ogTitle],
    images: [...productImages($), ...ogImage.map(({ url }) => url)],
    description: ogDescription,
    siteName: ogSiteName,
  };
}

/** Passes only the `meta` tags on, so that a large page is not parsed twice. */
async function readOpenGraph($: CheerioAPI) {
  const html = `<head>${$.html($("meta"))}</head>`;
  return (await openGraphScraper({ html, onlyGetOpenGraphInfo: true })).result;
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
