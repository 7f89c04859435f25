import type { Router } from "@koa/router";
import { metadata } from "@tapthru/proto/http/metadata";
import { clientAddress } from "../http/client-address.ts";
import { mount } from "../http/mount.ts";
import { findMetadata, type MetadataNeeds } from "./find-metadata.ts";

export function metadataRoutes(
  router: Router,
  needs: MetadataNeeds & { trustedProxies: readonly string[] },
) {
  const addressOf = clientAddress(needs.trustedProxies);
  mount(router, metadata, async (ctx, { query }) => {
    const name = { productId: query.product_id, marketplace: query.marketplace };
    const visitor = { address: addressOf(ctx.req), requestId: ctx.state.requestId };
    return { status: 200, body: await findMetadata(needs, name, visitor) };
  });
}
