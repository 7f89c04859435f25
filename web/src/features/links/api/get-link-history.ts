import { queryOptions } from "@tanstack/react-query";
import type { getLinkHistory as GetLinkHistory } from "@tapthru/proto/http/link-history";
import { LINKS_RETRIES } from "@tapthru/proto/rules/limits";
import { callApi } from "../../../lib/http/call-api.ts";
import { isRetryable } from "../../../lib/http/http-client.ts";

export function linkHistoryKey(shortCode: string) {
  return [`/api/links/${shortCode}/history`] as const;
}

export function linkHistoryOptions(shortCode: string) {
  return queryOptions({
    queryKey: linkHistoryKey(shortCode),
    queryFn: ({ signal }) =>
      callApi<typeof GetLinkHistory>("GET", "/api/links/:shortCode/history", {
        params: { shortCode },
        signal,
      }),
    staleTime: 0,
    retry: (failures, error) => failures < LINKS_RETRIES && isRetryable(error),
  });
}
