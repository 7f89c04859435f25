export interface SeedLink {
  shortCode: string;
  url: string;
  nickname?: string;
}

/** Links without an owner: one of each kind of page, in several stores. */
export const ANONYMOUS_LINKS: readonly SeedLink[] = [
  { shortCode: "demcam2", url: "https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&th=1&psc=1" },
  { shortCode: "demde22", url: "https://www.amazon.de/dp/B08N5WRWNW?tag=tapthru-21" },
  { shortCode: "demjp22", url: "https://www.amazon.co.jp/gp/product/4101010013?tag=tapthru-22" },
  { shortCode: "dem2222", url: "https://www.amazon.com/shop/tapthru-kitchen?tag=tapthru-20" },
  { shortCode: "demuk22", url: "https://www.amazon.co.uk/s?k=desk%20lamp&tag=tapthru-21" },
];

/** Links of the demo account. */
export const ACCOUNT_LINKS: readonly SeedLink[] = [
  { shortCode: "demmy22", url: "https://www.amazon.com/dp/B0CX23V2ZK?tag=mydemo-20" },
  {
    shortCode: "demmy23",
    url: "https://www.amazon.de/dp/B08N5WRWNW?tag=mydemo-21",
    nickname: "Summer giveaway",
  },
  {
    shortCode: "demmy24",
    url: "https://www.amazon.com/shop/tapthru-kitchen?tag=mydemo-20",
    nickname: "My kitchen",
  },
  { shortCode: "demmy25", url: "https://www.amazon.co.uk/s?k=desk%20lamp&tag=mydemo-21" },
];
