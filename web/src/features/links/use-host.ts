import { useConfig } from "../../lib/config.ts";

/** The host of this site, shown for links without a title. */
export function useHost(): string {
  return new URL(useConfig().publicBaseUrl).host;
}
