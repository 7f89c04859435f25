import { isIPv4 } from "node:net";

const PREFIX_LENGTH = 24;
const MAX_COUNTRIES = 256;

/**
 * The countries of IPv4 networks that were looked up before: a look-up in the database takes ten times as long. Up to
 * 16 MiB, which the system provides as they are used.
 */
export class KnownNetworks {
  /** Index of the country for each network of 256 addresses; 0 for networks that are not known. */
  readonly #indexes = new Uint8Array(1 << PREFIX_LENGTH);
  readonly #countries: (string | undefined)[] = [undefined];

  countryOf(network: number | null): string | undefined {
    return network === null ? undefined : this.#countries[this.#indexes[network] ?? 0];
  }

  /**
   * @param network that contains the address
   * @param prefixLength of the network that has this country as a whole
   */
  add(network: number, prefixLength: number, country: string): void {
    if (prefixLength > PREFIX_LENGTH) return;
    let index = this.#countries.indexOf(country);
    if (index === -1) index = this.#countries.push(country) - 1;
    if (index >= MAX_COUNTRIES) return;
    const size = 1 << (PREFIX_LENGTH - prefixLength);
    const first = network - (network % size);
    this.#indexes.fill(index, first, first + size);
  }
}

const ZERO = "0".charCodeAt(0);

/** The first three bytes of an IPv4 address, as a number; null for other texts. */
export function networkOf(address: string): number | null {
  if (!isIPv4(address)) return null;
  let network = 0;
  let byte = 0;
  for (let at = 0; at < address.length; at++) {
    const digit = address.charCodeAt(at) - ZERO;
    if (digit >= 0) byte = byte * 10 + digit;
    else [network, byte] = [network * 256 + byte, 0];
  }
  return network;
}
