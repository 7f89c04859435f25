import { isPublicHostName } from "@tapthru/proto/rules/webhooks";
import { isPublicAddress } from "./address.ts";
import { internetClient, resolveAllAddresses } from "./client.ts";
import { createGuardedFetch, type SafeFetchResponse } from "./safe-fetch.ts";

/** Requests to the own domains of users, and to the site's host. Both throw only SafeFetchError. */
export interface DomainProbe {
  /** The response of http://host{path}, or of https if that is where it redirects to, as the certificate authority does. */
  http(host: string, path: string): Promise<SafeFetchResponse>;
  /** The response of https://host{path}, whose certificate must be valid. */
  https(host: string, path: string): Promise<SafeFetchResponse>;
}

interface DomainProbeConfig {
  userAgent: string;
  /** DNS_SERVERS; null: those of the system. */
  nameServers: readonly string[] | null;
  /** For local development: also to addresses of this machine, at the ports of its gateway. */
  localPorts: { http: number; https: number } | null;
}

const DEADLINE_MS = 5_000;

export function createDomainProbe(config: DomainProbeConfig): DomainProbe {
  const { userAgent, nameServers, localPorts } = config;
  const openClient = (port: number) =>
    internetClient({
      port,
      lookup: (host) => resolveAllAddresses(host, nameServers ?? undefined),
      isAllowedAddress: localPorts === null ? isPublicAddress : () => true,
    });
  const fetchFrom = (port: number) =>
    createGuardedFetch(openClient(port), userAgent, DEADLINE_MS, ({ hostname }) => isPublicHostName(hostname));
  const fetchHttp = fetchFrom(localPorts?.http ?? 80);
  const fetchHttps = fetchFrom(localPorts?.https ?? 443);
  const request = { purpose: "domain", withBody: true } as const;
  const https = (host: string, path: string) => fetchHttps({ ...request, url: `https://${host}${path}` });
  return {
    async http(host, path) {
      const response = await fetchHttp({ ...request, url: `http://${host}${path}` });
      return response.location === `https://${host}${path}` ? https(host, path) : response;
    },
    https,
  };
}
