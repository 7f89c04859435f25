import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";

/** Links of the demo account, with the people of a usual day and the price of the product in the smallest unit. */
export interface DemoLink {
  shortCode: string;
  marketplace: Marketplace;
  tag: string;
  /** Empty: a search. */
  asin: string;
  people: number;
  price: number;
  nickname: string | null;
}

export const urlOf = ({ marketplace, asin, tag }: DemoLink) =>
  `https://www.amazon.${marketplace}/${asin === "" ? "s?k=desk%20lamp&" : `dp/${asin}?`}tag=${tag}`;

export const DEMO_LINKS: readonly DemoLink[] = [
  link("demmy22", "com", "mydemo-20", "B0CX23V2ZK", 16, 12_900),
  link("demmy23", "de", "mydemo-21", "B08N5WRWNW", 12, 3_490, "Summer giveaway"),
  link("demmy25", "co.uk", "mydemo-21", "", 7, 2_400),
  link("demmz22", "de", "demoinsta-21", "B09B8V1LZ3", 24, 5_999, "Kitchen speaker"),
  link("demmz23", "de", "demoinsta-21", "B09B8V1LZ3", 9, 5_999, "Kitchen speaker, story"),
  link("demmz24", "com", "demotube-20", "B0D1XD1ZV3", 31, 18_900, "Earphones of the video"),
  link("demmz25", "de", "demotube-21", "B07FZ8S74R", 19, 2_999, "Small speaker"),
  link("demmz26", "de", "demoletter-21", "B0D1XD1ZV3", 10, 19_900, "Earphones, newsletter"),
];

function link(
  shortCode: string,
  marketplace: Marketplace,
  tag: string,
  asin: string,
  people: number,
  price: number,
  nickname: string | null = null,
): DemoLink {
  return { shortCode, marketplace, tag, asin, people, price, nickname };
}
