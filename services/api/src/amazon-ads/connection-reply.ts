import type { AmazonAdsConnection } from "@tapthru/proto/http/amazon-ads";
import type { ConnectionRow } from "./queries.ts";

export function connectionReply({ connectedAt, ...row }: ConnectionRow): AmazonAdsConnection {
  return { ...row, connectedAt: new Date(connectedAt).toISOString() };
}
