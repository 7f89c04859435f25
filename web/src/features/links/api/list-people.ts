import { queryOptions } from "@tanstack/react-query";
import type { listLinkPeople as ListLinkPeople } from "@tapthru/proto/http/clicks";
import { LINKS_PAGE_MAX_SIZE, LINKS_STALE_MS } from "@tapthru/proto/rules/limits";
import DataLoader from "dataloader";
import { callApi } from "../../../lib/http/call-api.ts";

const path: (typeof ListLinkPeople)["path"] = "/api/clicks/links";

/** The people of a link on each of the last 30 days, today last; empty if it never had any. */
export function peopleOptions(shortCode: string) {
  return queryOptions({
    queryKey: [path, shortCode],
    queryFn: () => loader.load(shortCode),
    staleTime: LINKS_STALE_MS,
    retry: false,
  });
}

/** Cards that are shown together are requested together. */
const loader = new DataLoader<string, number[]>(listPeople, {
  cache: false,
  maxBatchSize: LINKS_PAGE_MAX_SIZE,
});

async function listPeople(shortCodes: readonly string[]): Promise<number[][]> {
  const tz = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const query = { codes: [...new Set(shortCodes)].join(","), tz };
  const links = await callApi<typeof ListLinkPeople>("GET", path, { query });
  const people = new Map(links.map((link) => [link.shortCode, link.people]));
  return shortCodes.map((shortCode) => people.get(shortCode) ?? []);
}
