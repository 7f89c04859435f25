import { queryOptions } from "@tanstack/react-query";
import type { listLinkStores as ListLinkStores } from "@tapthru/proto/http/links";
import { callApi } from "../../../lib/http/call-api.ts";

const path: (typeof ListLinkStores)["path"] = "/api/links/stores";

/** The stores that the user has links to. */
export const linkStoresOptions = queryOptions({
  // Not the key of a link with the code `stores`.
  queryKey: [path, "all"],
  queryFn: ({ signal }) => callApi<typeof ListLinkStores>("GET", path, { signal }),
  // Links may have been created or deleted.
  staleTime: 0,
});
