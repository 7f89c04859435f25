import { findShortHost, findStore } from "@tapthru/proto/rules/hosts";

/** What we go out for, and the closed list of hosts each may ask. Hosts are judged in lower case. */
const IS_HOST_OF = {
  store: (host) => findStore(host) !== null,
  short: (host) => findShortHost(host) !== null,
} satisfies Record<string, (host: string) => boolean>;

export type Purpose = keyof typeof IS_HOST_OF;

export function isHostOf(purpose: Purpose, host: string): boolean {
  return IS_HOST_OF[purpose](host);
}
