import { setImmediate } from "node:timers/promises";
import { parseJson } from "@tapthru/core/platform/parse-json";
import { isProductImage } from "@tapthru/proto/rules/amazon/images";
import { Parser } from "htmlparser2";
import * as z from "zod/mini";

/** Facts about the product from the elements of a page. Texts are untrusted, but of limited length. */
export interface PageElements {
  title: string | null;
  /** Addresses in order of preference. */
  images: string[];
  /** Open Graph tags; the names have the prefix `og:`. */
  openGraph: { name: string; content: string }[];
  cartAsin: string | null;
  canonicalUrl: string | null;
  saysOutOfStock: boolean;
  canBeBought: boolean;
}

type Attributes = Readonly<Record<string, string | undefined>>;

const PART_LENGTH = 16_384;
/** Browsers allow no deeper elements. */
const MAX_DEPTH = 512;
const TEXT_MAX_LENGTH = 2_000;
const SIZES_MAX_LENGTH = 10_000;
const MAX_COUNT = 20;

const PRODUCT_IMAGES: ReadonlySet<unknown> = new Set(["landingImage", "imgBlkFront", "ebooksImgBlkFront"]);
/**
 * The box that product pages of all stores show instead of the price: "Currently unavailable. We don't know when or if
 * this item will be back in stock." Elements of the same name around it are on every page.
 */
const OUT_OF_STOCK = "outOfStock";
/** Ways to buy the product, or another seller's: the box may be of one seller or variation only. */
const WAYS_TO_BUY: ReadonlySet<unknown> = new Set([
  "add-to-cart-button",
  "buy-now-button",
  "one-click-button",
  "buybox-see-all-buying-choices",
  "rcx-subscribe-submit-button-announce",
  "preorder-button",
]);
const WITHOUT_TEXT: ReadonlySet<string> = new Set(["script", "style", "noscript"]);

/** Reads a page until it has said everything. Returns null if its elements are nested too deep. */
export async function findElements(html: string): Promise<PageElements | null> {
  const found: PageElements = {
    title: null,
    images: [],
    openGraph: [],
    cartAsin: null,
    canonicalUrl: null,
    saysOutOfStock: false,
    canBeBought: false,
  };
  let depth = 0;
  /** Open elements whose text matters, the innermost last. */
  const open: { kind: "title" | "out-of-stock" | "hidden"; depth: number }[] = [];
  const isWithin = (kind: (typeof open)[number]["kind"]) => open.some((element) => element.kind === kind);

  const parser = new Parser({
    onopentag(name, attributes) {
      depth++;
      if (depth > MAX_DEPTH) return parser.pause();
      if (isWithin("hidden")) return;
      if (WITHOUT_TEXT.has(name)) open.push({ kind: "hidden", depth });
      if (attributes.id === "productTitle" && found.title === null) {
        found.title = "";
        open.push({ kind: "title", depth });
      }
      if (attributes.id === OUT_OF_STOCK) open.push({ kind: "out-of-stock", depth });
      addAttributes(found, name, attributes);
    },
    ontext(text) {
      if (open.length === 0 || isWithin("hidden")) return;
      if (found.title !== null && found.title.length < TEXT_MAX_LENGTH && isWithin("title")) found.title += text;
      if (isWithin("out-of-stock") && text.trim() !== "") found.saysOutOfStock = true;
    },
    onclosetag() {
      if (open.at(-1)?.depth === depth) open.pop();
      depth--;
    },
  });
  for (let at = 0; at < html.length && !isComplete(found); at += PART_LENGTH) {
    await setImmediate();
    parser.write(html.slice(at, at + PART_LENGTH));
    if (depth > MAX_DEPTH) return null;
  }
  parser.end();
  return found;
}

/** Nothing further matters: a product that can be bought is in stock, and Open Graph tags are in the head. */
function isComplete({ title, images, cartAsin, canBeBought }: PageElements): boolean {
  return canBeBought && cartAsin !== null && title !== null && images.some(isProductImage);
}

function addAttributes(found: PageElements, element: string, attributes: Attributes): void {
  const { id } = attributes;
  const text = (name: string, maxLength = TEXT_MAX_LENGTH) => attributes[name]?.slice(0, maxLength) ?? "";
  if (WAYS_TO_BUY.has(id)) found.canBeBought = true;
  if (PRODUCT_IMAGES.has(id) && found.images.length < MAX_COUNT) {
    // First the large version, then those for all screen sizes, then the initial one.
    const sizes = largestFirst(text("data-a-dynamic-image", SIZES_MAX_LENGTH));
    found.images.push(text("data-old-hires"), ...sizes, text("src"));
  }
  if (element === "input" && id === "ASIN") found.cartAsin ??= text("value");
  if (element === "link" && text("rel").toLowerCase() === "canonical") found.canonicalUrl ??= text("href");
  if (element === "meta" && found.openGraph.length < MAX_COUNT) {
    const name = text("property") || text("name");
    if (/^og:/i.test(name)) found.openGraph.push({ name, content: text("content") || text("value") });
  }
}

/** Widths and heights by address. */
const DynamicImage = z.record(z.string(), z.tuple([z.number(), z.number()]));

function largestFirst(json: string): string[] {
  const sizes = z.safeParse(DynamicImage, parseJson(json)).data ?? {};
  const areas = Object.entries(sizes).map(([url, [width, height]]) => ({
    url,
    area: width * height,
  }));
  return areas.sort((one, other) => other.area - one.area).map(({ url }) => url);
}
