import { paths } from "@tapthru/proto/rules/paths";
import { useCall } from "../../kit/use-call.ts";
import { pagesOf } from "../../lib/http/query-presets.ts";
import { formatCount } from "../../lib/locale-formats.ts";

export interface LinksView {
  q: string;
  ownerId: string | null;
  addressHash: string | null;
}

export function linksOfPath(of: { ownerId: number } | { addressHash: string }): string {
  const query = "ownerId" in of ? `owner=${of.ownerId}` : `address=${of.addressHash}`;
  return `${paths.operatorLinks}?${query}`;
}

export const allLinksOptions = ({ q, ownerId, addressHash }: LinksView) =>
  pagesOf("GET /api/operator/links", {
    ...(q && { q }),
    ...(ownerId !== null && { ownerId }),
    ...(addressHash !== null && { addressHash }),
  });

/**
 * Takes links down, or lets them work again. The toast undoes it for selected links. Which of all links of a user or an
 * address the worker changes is unknown here.
 */
export function useTakeDown() {
  const { call, isPending } = useCall("POST /api/operator/links/take-down", {
    done(reply, { body: { isTakenDown } }) {
      if (!("shortCodes" in reply)) {
        const { count: known } = reply;
        const links = known === null ? "Very many links" : formatCount(known, "link");
        if (!isTakenDown) return `${links} will work again within seconds.`;
        return `${links} ${reply.count === 1 ? "is" : "are"} being taken down.`;
      }
      const { count } = reply;
      if (isTakenDown) return `${formatCount(count, "link was", "links were")} taken down.`;
      return `${formatCount(count, "link works", "links work")} again.`;
    },
    undo: (reply, { body: { isTakenDown } }) =>
      "shortCodes" in reply && reply.shortCodes.length > 0
        ? { body: { links: { shortCodes: reply.shortCodes }, isTakenDown: !isTakenDown } }
        : null,
    failed: "Not all links were changed. Please try again.",
  });
  return { takeDown: call, isPending };
}
