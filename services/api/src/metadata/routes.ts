import { metadata } from "@tapthru/proto/http/metadata";
import { productImage } from "@tapthru/proto/rules/amazon/images";
import type { Context } from "koa";
import { type ApiRouter, mount } from "../http/mount.ts";
import { findMetadata, type MetadataDependencies } from "./find-metadata.ts";

export interface MetadataRoutesDependencies extends MetadataDependencies {
  addressOf(request: Context["req"]): string;
}

export function metadataRoutes(router: ApiRouter, deps: MetadataRoutesDependencies) {
  mount(router, metadata, async (ctx, { query }) => {
    const product = { productId: query.product_id, marketplace: query.marketplace };
    const { requestId, whileWaiting } = ctx.state;
    const visitor = { address: deps.addressOf(ctx.req), requestId, whileWaiting };
    const found = await findMetadata(deps, product, visitor);
    return { status: 200, body: { ...found, imageUrl: productImage(found.imageUrl) } };
  });
}
