import { useConfig } from "../../lib/config.ts";

/** The host of this site: what stands where a link has no title. */
export function useHost(): string {
  return new URL(useConfig().publicBaseUrl).host;
}
