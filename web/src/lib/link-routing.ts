import { queryOptions } from "@tanstack/react-query";
import type { getLinkRouting } from "@tapthru/proto/http/routing";
import { LINKS_RETRIES } from "@tapthru/proto/rules/limits";
import { callApi } from "./http/call-api.ts";
import { isRetryable } from "./http/http-client.ts";

export const LINK_ROUTING_PATH = "/api/links/:shortCode/routing";

export function linkRoutingOptions(shortCode: string) {
  return queryOptions({
    queryKey: [`/api/links/${shortCode}/routing`],
    queryFn: ({ signal }) =>
      callApi<typeof getLinkRouting>("GET", LINK_ROUTING_PATH, { params: { shortCode }, signal }),
    staleTime: 0,
    retry: (failures, error) => failures < LINKS_RETRIES && isRetryable(error),
  });
}
