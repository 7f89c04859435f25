import { FETCH_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { buildConnector, Client } from "undici";
import { isPublicAddress } from "./address.ts";
import { SafeFetchError } from "./errors.ts";
import { type Lookup, resolveAllAddresses } from "./lookup.ts";

/** Makes the client of one request to one origin; its connection is never used again. */
export type OpenClient = (url: URL) => Client;

const CLIENT_OPTIONS = {
  maxHeaderSize: 16 * 1024,
  // Before decompression, for compressed pages that never grow into anything.
  maxResponseSize: 2 * FETCH_MAX_BYTES,
};

interface InternetOptions {
  lookup?: Lookup;
  isAllowedAddress?: (address: string) => boolean;
  port?: number;
  /** PEM certificates trusted instead of the well-known authorities. */
  ca?: string;
}

/**
 * Connects over TLS to an address of the host that was looked up and checked for this very
 * connection. One address out of bounds refuses the whole name. The options are for tests.
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
    // The socket asks this look-up once and connects to nothing but what it answers.
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

  return (url) =>
    new Client(url.origin, {
      ...CLIENT_OPTIONS,
      connect: (options, callback) => connect({ ...options, port: String(port) }, callback),
    });
}

/** Every request goes to this address in plain HTTP, whatever host it is meant for. */
export function standInClient(standInUrl: string): OpenClient {
  return () => new Client(standInUrl, CLIENT_OPTIONS);
}
