import type { Router } from "@koa/router";
import { metadata } from "@tapthru/proto/http/metadata";
import { productImage } from "@tapthru/proto/rules/images";
import type { Context } from "koa";
import { type Guard, mount } from "../http/mount.ts";
import { findMetadata, type MetadataNeeds } from "./find-metadata.ts";

export interface MetadataRoutesNeeds extends MetadataNeeds {
  addressOf(request: Context["req"]): string;
  anybody: Guard<void>;
}

export function metadataRoutes(router: Router, needs: MetadataRoutesNeeds) {
  mount(router, metadata, needs.anybody, async (ctx, { query }) => {
    const name = { productId: query.product_id, marketplace: query.marketplace };
    const visitor = { address: needs.addressOf(ctx.req), requestId: ctx.state.requestId };
    const found = await findMetadata(needs, name, visitor);
    return { status: 200, body: { ...found, imageUrl: productImage(found.imageUrl) } };
  });
}
