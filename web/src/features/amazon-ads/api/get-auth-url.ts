import type { getAmazonAdsAuthUrl as GetAuthUrl } from "@tapthru/proto/http/amazon-ads";
import type { AdsRegion } from "@tapthru/proto/rules/amazon/ads-regions";
import { messages } from "@tapthru/proto/rules/messages";
import { callApi } from "../../../lib/http/call-api.ts";

/** The URL of the Amazon page where the user logs in and consents. */
export async function getAuthUrl(region: AdsRegion): Promise<string> {
  try {
    const path = "/api/amazon-ads/auth-url";
    return (await callApi<typeof GetAuthUrl>("GET", path, { query: { region } })).url;
  } catch (cause) {
    throw new Error(messages.failedToGetAuthUrl, { cause });
  }
}
