import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { useMemo } from "react";
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

/** A link for its page, which refetches it a few times at each visit until the worker has fetched title and image. */
export function useLink(shortCode: string) {
  const visit = useMemo(() => ({ shortCode, refetches: 0 }), [shortCode]);
  const options = linkOptions(shortCode);
  return useQuery({
    ...options,
    queryFn({ client, signal }) {
      if (client.getQueryData(options.queryKey) !== undefined) visit.refetches += 1;
      return getLink(shortCode, signal);
    },
    refetchInterval: ({ state: { data } }) =>
      data && isIncomplete(data) && visit.refetches < DETAIL_POLL_MAX_UPDATES && DETAIL_POLL_INTERVAL_MS,
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
