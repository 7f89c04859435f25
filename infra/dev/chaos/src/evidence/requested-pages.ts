import type { AmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";

/** Counts the requests for a page that the stand-in received. */
export function countPageRequests(
  { requests }: Pick<AmazonStandIn, "requests">,
  page: string,
): number {
  return requests.filter(({ host, url }) => `https://${host}${url}` === page).length;
}
