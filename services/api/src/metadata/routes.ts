import type { Router } from "@koa/router";
import { metadata } from "@tapthru/proto/http/metadata";
import { productImage } from "@tapthru/proto/rules/amazon/images";
import type { Context } from "koa";
import { type Guard, mount } from "../http/mount.ts";
import { findMetadata, type MetadataDependencies } from "./find-metadata.ts";

export interface MetadataRoutesDependencies extends MetadataDependencies {
  addressOf(request: Context["req"]): string;
  publicAccess: Guard<void>;
}

export function metadataRoutes(router: Router, deps: MetadataRoutesDependencies) {
  mount(router, metadata, deps.publicAccess, async (ctx, { query }) => {
    const product = { productId: query.product_id, marketplace: query.marketplace };
    const { requestId, whileWaiting } = ctx.state;
    const visitor = { address: deps.addressOf(ctx.req), requestId, whileWaiting };
    const found = await findMetadata(deps, product, visitor);
    return { status: 200, body: { ...found, imageUrl: productImage(found.imageUrl) } };
  });
}
