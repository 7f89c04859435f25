import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { callApi } from "../../lib/http/call-api.ts";

interface Product {
  productId: string;
  marketplace: Marketplace;
}

export function getMetadata({ productId, marketplace }: Product, signal: AbortSignal) {
  const query = { product_id: productId, marketplace };
  return callApi("GET /api/metadata", { query, signal });
}
