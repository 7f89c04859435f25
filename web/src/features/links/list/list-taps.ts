import { notifyManager, type QueryClient, queryOptions } from "@tanstack/react-query";
import { LINKS_PAGE_MAX_SIZE, LINKS_STALE_MS } from "@tapthru/proto/rules/limits";
import DataLoader from "dataloader";
import { browserTimeZone } from "../../../lib/dates.ts";
import { callApi } from "../../../lib/http/call-api.ts";

const path = "/api/clicks/links";

/** The taps of people on a link on each of the last 30 days, today last; empty if it never had any. */
export function tapsOptions(shortCode: string) {
  return queryOptions({
    queryKey: [path, shortCode],
    queryFn: ({ client }) => loader.load({ client, shortCode }),
    staleTime: LINKS_STALE_MS,
    retry: false,
  });
}

interface Wanted {
  client: QueryClient;
  shortCode: string;
}

/** Cards that are shown together are requested together. */
const loader = new DataLoader<Wanted, number[]>(listTaps, {
  cache: false,
  maxBatchSize: LINKS_PAGE_MAX_SIZE,
});

async function listTaps(wanted: readonly Wanted[]): Promise<number[][]> {
  const tz = browserTimeZone();
  const codes = [...new Set(wanted.map(({ shortCode }) => shortCode))].join(",");
  const links = await callApi("GET", path, { query: { codes, tz } });
  const taps = new Map(links.map((link) => [link.shortCode, link.people]));
  const results = wanted.map(({ shortCode }) => taps.get(shortCode) ?? []);
  // Otherwise each card would be rendered on its own.
  notifyManager.batch(() => {
    for (const [i, { client, shortCode }] of wanted.entries()) client.setQueryData([path, shortCode], results[i]);
  });
  return results;
}
