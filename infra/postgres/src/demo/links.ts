import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";

/** Links of the demo account, with the people of a usual day and the price of the product in the smallest unit. */
export interface DemoLink {
  shortCode: string;
  marketplace: Marketplace;
  tag: string;
  asin: string;
  people: number;
  price: number;
}

export const DEMO_LINKS: readonly DemoLink[] = [
  link("demmy22", "com", "mydemo-20", "B0CX23V2ZK", 16, 12_900),
  link("demmy23", "de", "mydemo-21", "B08N5WRWNW", 12, 3_490),
  link("demmy25", "co.uk", "mydemo-21", "", 7, 2_400),
  link("demmz22", "de", "demoinsta-21", "B09B8V1LZ3", 24, 5_999),
  link("demmz23", "de", "demoinsta-21", "B09B8V1LZ3", 9, 5_999),
  link("demmz24", "com", "demotube-20", "B0D1XD1ZV3", 31, 18_900),
  link("demmz25", "de", "demotube-21", "B07FZ8S74R", 19, 2_999),
  link("demmz26", "de", "demoletter-21", "B0D1XD1ZV3", 10, 19_900),
];

function link(
  shortCode: string,
  marketplace: Marketplace,
  tag: string,
  asin: string,
  people: number,
  price: number,
): DemoLink {
  return { shortCode, marketplace, tag, asin, people, price };
}
