import { displayName, type NamedLink } from "@tapthru/proto/rules/display-name";
import { useConfig } from "./config.ts";

/** The host of this site, shown for links without a title and recognized in short links. */
export function useHost(): string {
  return new URL(useConfig().publicBaseUrl).host;
}

export function useDisplayName(link: NamedLink): string {
  return displayName(link, useHost());
}
