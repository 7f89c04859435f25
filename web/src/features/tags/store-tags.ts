import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/http/call-api.ts";
import { isRetryable } from "../../lib/http/http-client.ts";

const RETRIES = 1;
/** Another tab may have changed them. */
const FRESH = {
  staleTime: 0,
  refetchOnWindowFocus: true,
  retry: (failures: number, error: Error) => failures < RETRIES && isRetryable(error),
} as const;

/** The tags in the user's account. */
export const storeTagsOptions = queryOptions({
  ...FRESH,
  queryKey: ["/api/stores"],
  queryFn: ({ signal }) => callApi("GET", "/api/stores", { signal }),
});

/** The stores that OneLink serves, as the user said. */
export const oneLinkStoresOptions = queryOptions({
  ...FRESH,
  queryKey: ["/api/onelink-stores"],
  queryFn: ({ signal }) => callApi("GET", "/api/onelink-stores", { signal }),
});
