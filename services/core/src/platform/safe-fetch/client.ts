import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { FETCH_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { buildConnector, Client } from "undici";
import { isPublicAddress } from "./address.ts";
import { SafeFetchError } from "./errors.ts";

/** Creates the client of one request to one origin; its connection is never reused. */
export type OpenClient = (url: URL, limits?: { maxResponseSize: number }) => Client;

const CLIENT_OPTIONS = {
  maxHeaderSize: 16 * 1024,
  // Limit before decompression, against compressed bodies that yield no data.
  maxResponseSize: 2 * FETCH_MAX_BYTES,
};

interface InternetOptions {
  lookup?: Lookup;
  isAllowedAddress?: (address: string) => boolean;
  port?: number;
  /** PEM certificates to trust instead of the public authorities. */
  ca?: string;
}

/**
 * Connects over TLS to an address of the host that was resolved and checked for this connection. Refuses a host if
 * any of its addresses is not public. The options are for tests.
 */
export function internetClient({
  lookup = resolveAllAddresses,
  isAllowedAddress = isPublicAddress,
  port = 443,
  ca,
}: InternetOptions = {}): OpenClient {
  const lookUpChecked: Lookup = async (host) => {
    const addresses = await lookup(host);
    if (!addresses.every(({ address }) => isAllowedAddress(address))) {
      throw new SafeFetchError("refused-address");
    }
    return addresses;
  };

  const connect = buildConnector({
    allowH2: false,
    // The socket calls this look-up once and connects only to its result.
    autoSelectFamily: true,
    lookup: (host, _options, callback) => {
      lookUpChecked(host).then(
        (addresses) => callback(null, addresses),
        (error) => callback(error, []),
      );
    },
    maxCachedSessions: 0,
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });

  return (url, limits) =>
    new Client(url.origin, {
      ...CLIENT_OPTIONS,
      ...limits,
      connect: (options, callback) => connect({ ...options, port: String(port) }, callback),
    });
}

/** Sends every request to this address in plain HTTP, for any host. */
export function standInClient(standInUrl: string): OpenClient {
  return (_url, limits) => new Client(standInUrl, { ...CLIENT_OPTIONS, ...limits });
}

/** All addresses of a host; rejects if there is none. */
type Lookup = (host: string) => Promise<LookupAddress[]>;

/**
 * Queries the name servers directly: `dns.lookup` would try search domains, and would block a thread of a small pool
 * while a name server does not respond.
 * @param nameServers `address:port` each; the system's by default
 */
export async function resolveAllAddresses(host: string, nameServers?: readonly string[]): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
  if (addresses.length === 0) throw new Error("no address");
  return addresses;
}

function addressesOf(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === "fulfilled" ? result.value.map((address) => ({ address, family })) : [];
}
