import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";

const STORES = Object.keys(MARKETPLACES).map((marketplace) => `https://www.amazon.${marketplace}`);

/** The stand-in's captchas, consent and error pages. */
const OBSTACLES = [
  "B0CAPTCHA1",
  "B0CAPTCHA2",
  "B0CAPTCHA3",
  "B0CONTINUE",
  "B0ROBOTCHK",
  "B0NAMEONLY",
  "B0WAFTOKEN",
  "B0BOTMANAG",
  "B0DRESSEDC",
  "B0CONSENT1",
  "B0ERROR503",
  "B0ERROR200",
];

/** Pages of the stand-in that are slow, endless, very large or circular. */
const EXHAUSTING_ASINS = [
  "B0DRIPBODY",
  "B0DRIPHEAD",
  "B0ENDLESS1",
  "B0ENDLESSH",
  "B0GZIPBOMB",
  "B0HUGEPAGE",
  "B0LOOPHERE",
  "B0NESTEDIV",
  "B0METAFLOD",
];

/** One store per page, because the worker pauses requests to a store that refuses. */
const pages = (asins: readonly string[], firstStore: number) =>
  asins.map((asin, index) => `${STORES[firstStore + index]}/dp/${asin}`);

export const HANGING_PAGES: readonly string[] = STORES.slice(0, 20).map(
  (store) => `${store}/dp/B0HANGS001`,
);
export const OBSTACLE_PAGES: readonly string[] = pages(OBSTACLES, 0);
export const EXHAUSTING_PAGES: readonly string[] = pages(EXHAUSTING_ASINS, OBSTACLES.length);
