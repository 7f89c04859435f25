import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { useCallback, useMemo } from "react";
import { callApi } from "../../lib/http/call-api.ts";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { LINK_QUERY } from "../../lib/http/query-presets.ts";

const DETAIL_POLL_MAX_UPDATES = 3;
const DETAIL_POLL_INTERVAL_MS = 2_000;
/** The first element of the query keys of each link: its details, its history and its routing. */
const LINK_KEY = "/api/links/:shortCode";

export function linkOptions(shortCode: string) {
  return queryOptions({
    ...LINK_QUERY,
    queryKey: [LINK_KEY, { params: { shortCode } }] as const,
    queryFn: ({ signal }) => getLink(shortCode, signal),
  });
}

export const CHANGING_PRODUCT = ["changing product"] as const;
/** How long a link shows the product that it will get. By then a change of all links is made, or has not concerned it. */
export const CHANGING_PRODUCT_MS = 60_000;

export type ChangingProduct = Record<"marketplace" | "from" | "to", string> | null;

/** The link with the product that it will have once the server has made a change of all links. */
function withNextProduct(link: Link, change: ChangingProduct): Link {
  const page = change && parseStorePage(link.webUrl);
  if (page?.kind !== "product" || page.asin !== change?.from || page.marketplace !== change.marketplace) return link;
  const next = (url: string) => url.replaceAll(change.from, change.to);
  return { ...link, webUrl: next(link.webUrl), originalUrl: next(link.originalUrl) };
}

/** A link for its page, which refetches it a few times at each visit until the worker has fetched title and image. */
export function useLink(shortCode: string) {
  const visit = useMemo(() => ({ shortCode, refetches: 0 }), [shortCode]);
  const options = linkOptions(shortCode);
  const { data: change = null } = useQuery<ChangingProduct>({ queryKey: CHANGING_PRODUCT, queryFn: skipToken });
  return useQuery({
    ...options,
    select: useCallback((link: Link) => withNextProduct(link, change), [change]),
    queryFn({ client, signal }) {
      if (client.getQueryData(options.queryKey) !== undefined) visit.refetches += 1;
      return getLink(shortCode, signal);
    },
    refetchInterval: ({ state: { data } }) => {
      if (!data) return false;
      const isAwaited = isIncomplete(data) && visit.refetches < DETAIL_POLL_MAX_UPDATES;
      return isAwaited || withNextProduct(data, change) !== data ? DETAIL_POLL_INTERVAL_MS : false;
    },
  });
}

function isIncomplete({ imageUrl, title, invalid }: Link): boolean {
  return !invalid && (!imageUrl || !title);
}

async function getLink(shortCode: string, signal: AbortSignal): Promise<Link> {
  try {
    const params = { shortCode };
    return await callApi(`GET ${LINK_KEY}`, { params, signal });
  } catch (cause) {
    throw new Error("Failed to fetch link", { cause });
  }
}

/** Returns true if the link no longer exists, so that cached data must not be shown. */
export function isNotFound(error: Error | null): boolean {
  return httpErrorOf(error)?.status === 404;
}
