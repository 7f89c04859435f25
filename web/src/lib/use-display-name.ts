import { displayName, type NamedLink } from "@tapthru/proto/rules/display-name";
import { useHost } from "./use-host.ts";

export function useDisplayName(link: NamedLink): string {
  return displayName(link, useHost());
}
