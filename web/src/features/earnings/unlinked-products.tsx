import { useQuery } from "@tanstack/react-query";
import type { UnlinkedProduct } from "@tapthru/proto/earnings";
import { useState } from "react";
import { Card } from "../../components/ui/card.tsx";
import { DataTable } from "../../components/ui/table.tsx";
import { Action } from "../../kit/action.tsx";
import { createIdempotencyKey } from "../../lib/hash.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { formatCount } from "../../lib/locale-formats.ts";
import { findChannel, useChannels } from "../channels/index.ts";
import { UNTIL_IMPORT } from "./api.ts";

const OPTIONS = { ...queryOf("GET /api/earnings/unlinked-products"), ...UNTIL_IMPORT };
const FEW_ROWS = 5;

/** Products that people buy again and again after a tap on a link to another one. Nothing if there are none. */
export function UnlinkedProducts() {
  const channels = useChannels();
  // A reply may be lost.
  const [pageKey] = useState(createIdempotencyKey);
  const { data = [] } = useQuery(OPTIONS);
  if (data.length === 0) return null;
  const channelName = ({ channelId }: UnlinkedProduct) => findChannel(channels, channelId)?.name ?? "your links";
  return (
    <Card title="Sells without a link">
      <p className="mb-4 max-w-2xl text-pretty text-muted">
        People bought these through your tags on at least three of the last 90 days in your reports, but none of your
        links leads to them now.
      </p>
      <DataTable
        caption="Sells without a link"
        rows={data}
        shortCount={FEW_ROWS}
        keyOf={({ marketplace, asin }) => `${marketplace} ${asin}`}
        columns={[
          {
            name: "Product",
            cell: (product) => (
              <>
                <span className="line-clamp-2">{product.name ?? product.asin}</span>
                <span className="block text-sm text-muted">
                  {`sold ${formatCount(product.sold, "time")} on ${formatCount(product.days, "day")} through ${channelName(product)} on amazon.${product.marketplace}`}
                </span>
              </>
            ),
          },
          {
            name: "Link",
            cell: ({ marketplace, asin, name, channelId }) => (
              <Action
                call="POST /api/links"
                input={{
                  body: { url: `https://www.amazon.${marketplace}/dp/${asin}`, channelId, usesChannelTag: true },
                  headers: { "Idempotency-Key": `${pageKey}-${marketplace.replace(".", "-")}-${asin}` },
                }}
                label="Create link"
                of={`to ${name ?? "product"} (${asin}) on amazon.${marketplace}`}
                done={({ shortUrl, tagSource }) =>
                  tagSource === "channel"
                    ? `${shortUrl} leads to it, with the tag of the channel.`
                    : `${shortUrl} leads to it, without a tag: its channel has none in this store.`
                }
                // Also if the page is left before the reply: a second press would make a second link.
                ahead={async (client) => {
                  await client.cancelQueries(OPTIONS);
                  const before = client.getQueryData(OPTIONS.queryKey);
                  const rest = before?.filter((each) => each.asin !== asin || each.marketplace !== marketplace);
                  client.setQueryData(OPTIONS.queryKey, rest);
                  return () => client.setQueryData(OPTIONS.queryKey, before);
                }}
              />
            ),
          },
        ]}
      />
    </Card>
  );
}
