import { queryOptions } from "@tanstack/react-query";
import type {
  listWebhookDeliveries as ListWebhookDeliveries,
  listWebhooks as ListWebhooks,
} from "@tapthru/proto/http/webhooks";
import { callApi } from "../../../lib/http/call-api.ts";

const path: (typeof ListWebhooks)["path"] = "/api/webhooks";
const deliveriesPath: (typeof ListWebhookDeliveries)["path"] = "/api/webhooks/:id/deliveries";

/** Always stale: the state changes with each request. */
export const webhooksOptions = queryOptions({
  queryKey: [path],
  queryFn: ({ signal }) => callApi<typeof ListWebhooks>("GET", path, { signal }),
  staleTime: 0,
});

export const deliveriesOptions = (id: number) =>
  queryOptions({
    queryKey: [deliveriesPath, id],
    queryFn: ({ signal }) =>
      callApi<typeof ListWebhookDeliveries>("GET", deliveriesPath, {
        params: { id: String(id) },
        query: {},
        signal,
      }),
    staleTime: 0,
  });
