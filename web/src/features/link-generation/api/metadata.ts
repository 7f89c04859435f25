import type { metadata as Metadata } from "@tapthru/proto/http/metadata";
import { callApi } from "../../../lib/call-api.ts";

interface Product {
  productId: string;
  marketplace: string;
}

export function getMetadata({ productId, marketplace }: Product, signal: AbortSignal) {
  const query = { product_id: productId, marketplace };
  return callApi<typeof Metadata>("GET", "/api/metadata", { query, signal });
}
