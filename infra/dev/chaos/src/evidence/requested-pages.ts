import type { AmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";

/** How often Amazon was asked for a page. */
export function timesAsked({ requests }: Pick<AmazonStandIn, "requests">, page: string): number {
  return requests.filter(({ host, url }) => `https://${host}${url}` === page).length;
}
