import { isIPv4 } from "node:net";

const IPV4_PREFIX = 24;
const IPV6_PREFIX = 32;
const MAX_COUNTRIES = 256;
const MAX_IPV6_NETWORKS = 10_000;

/**
 * The countries of networks that were looked up before: a look-up in the database takes five to ten times as long. Up to
 * 16 MiB for IPv4, which the system provides as they are used.
 */
export class KnownNetworks {
  /** Index of the country of each IPv4 network of 256 addresses; 0 for networks that are not known. */
  readonly #indexes = new Uint8Array(1 << IPV4_PREFIX);
  readonly #countries: (string | undefined)[] = [undefined];
  readonly #ipv6 = new Map<string, string>();

  countryOf(address: string): string | undefined {
    if (isIPv4(address)) return this.#countries[this.#indexes[ipv4Network(address)] ?? 0];
    return this.#ipv6.get(ipv6Network(address));
  }

  /** @param prefixLength of the network around the address that has this country as a whole */
  add(address: string, prefixLength: number, country: string): void {
    if (isIPv4(address)) this.#addIpv4(address, prefixLength, country);
    else if (prefixLength <= IPV6_PREFIX) this.#addIpv6(address, country);
  }

  #addIpv4(address: string, prefixLength: number, country: string): void {
    if (prefixLength > IPV4_PREFIX) return;
    let index = this.#countries.indexOf(country);
    if (index === -1) index = this.#countries.push(country) - 1;
    if (index >= MAX_COUNTRIES) return;
    const size = 1 << (IPV4_PREFIX - prefixLength);
    const network = ipv4Network(address);
    const first = network - (network % size);
    this.#indexes.fill(index, first, first + size);
  }

  #addIpv6(address: string, country: string): void {
    const network = ipv6Network(address);
    if (network === "") return;
    if (this.#ipv6.size >= MAX_IPV6_NETWORKS) this.#ipv6.clear();
    this.#ipv6.set(network, country);
  }
}

const ZERO = "0".charCodeAt(0);

/** The first three bytes as a number. */
function ipv4Network(address: string): number {
  let network = 0;
  let byte = 0;
  for (let at = 0; at < address.length; at++) {
    const digit = address.charCodeAt(at) - ZERO;
    if (digit >= 0) byte = byte * 10 + digit;
    else [network, byte] = [network * 256 + byte, 0];
  }
  return network;
}

/** The first two groups, such as 2001:db8; empty if one of them is not written. */
function ipv6Network(address: string): string {
  const first = address.indexOf(":");
  const second = address.indexOf(":", first + 1);
  return first < 1 || second <= first + 1 ? "" : address.slice(0, second);
}
