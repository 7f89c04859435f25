import type { LinkHistory } from "@tapthru/proto/http/link-history";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import type { CommonQueryMethods } from "slonik";
import { findEarlierCodes, findEarlierDestinations } from "./relink-queries.ts";

/** What some links had before, by link id; links without history are absent. */
export async function linkHistories(
  db: Pick<CommonQueryMethods, "any">,
  linkIds: readonly number[],
  publicBaseUrl: string,
): Promise<ReadonlyMap<number, LinkHistory>> {
  const [destinations, codes] = await Promise.all([
    findEarlierDestinations(db, linkIds),
    findEarlierCodes(db, linkIds),
  ]);
  const histories = new Map<number, LinkHistory>();
  const historyOf = (linkId: number) => {
    const history = histories.get(linkId) ?? { destinations: [], shortCodes: [] };
    histories.set(linkId, history);
    return history;
  };
  for (const { linkId, originalUrl, webUrl, replacedAt } of destinations) {
    historyOf(linkId).destinations.push({
      originalUrl,
      webUrl: parseStorePage(webUrl)?.webUrl ?? null,
      replacedAt: new Date(replacedAt).toISOString(),
    });
  }
  for (const { linkId, shortCode } of codes) {
    historyOf(linkId).shortCodes.push({ shortCode, shortUrl: shortUrl(publicBaseUrl, shortCode) });
  }
  return histories;
}
