import { SHORT_LINK_PATH_PREFIX } from "@tapthru/proto/rules/limits";

export function shortUrl(publicBaseUrl: string, shortCode: string): string {
  return `${publicBaseUrl}${SHORT_LINK_PATH_PREFIX}${shortCode}`;
}
