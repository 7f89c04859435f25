import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { callApi } from "../../lib/http/call-api.ts";

export const getMetadata = (productId: string, marketplace: Marketplace, signal: AbortSignal) =>
  callApi("GET /api/metadata", { query: { product_id: productId, marketplace }, signal });
