import { LINKS_RETRIES, LINKS_STALE_MS } from "@tapthru/proto/rules/limits";
import { isRetryable } from "./http-client.ts";

/** Retries failures that may pass. */
const retryUpTo = (count: number) => (failures: number, error: Error) => failures < count && isRetryable(error);

/** Of links. */
export const LINK_QUERY = { staleTime: LINKS_STALE_MS, retry: retryUpTo(LINKS_RETRIES) } as const;

/** Of settings, which another tab may have changed. */
export const SETTINGS_QUERY = {
  staleTime: 0,
  refetchOnWindowFocus: true,
  retry: retryUpTo(1),
} as const;
