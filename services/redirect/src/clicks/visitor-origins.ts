import { dimensionKey } from "@tapthru/proto/clicks/keys";
import { registerOf } from "@tapthru/proto/clicks/visitor-sketch";
import type { Client, VisitRequest } from "../visitor/visitor.ts";
import type { CountryOf } from "../visitor/visitor-country.ts";
import type { DailySalt } from "./daily-salt.ts";

export interface VisitorOriginsOptions {
  countryOf: CountryOf;
  salt: Pick<DailySalt, "at">;
}

export interface VisitorOrigin {
  countryKey: string;
  /** The register value of this visitor on this day. */
  register: number;
}

/** Two numbers of 32 bits that seed a hash. */
interface Seeds {
  first: number;
  second: number;
}

const NO_SEEDS: Seeds = { first: 0x9747b28c, second: 0x2545f491 };

/** Country and register value of visitors. Addresses are used for the duration of the call and not kept. */
export function createVisitorOrigins({ countryOf, salt }: VisitorOriginsOptions) {
  /** Reused, because a map hashes a new string at each look-up. */
  const countryKeys = new Map<string, string>();
  const clientSeeds = new WeakMap<Client, { salt: string; seeds: Seeds }>();

  function keyOf(country: string): string {
    const known = countryKeys.get(country);
    if (known !== undefined) return known;
    const key = dimensionKey("country", country);
    countryKeys.set(country, key);
    return key;
  }

  /** Hash of salt and agent. */
  function seedsOf(client: Client, userAgent: string, now: number): Seeds {
    const today = salt.at(now);
    const known = clientSeeds.get(client);
    if (known?.salt === today) return known.seeds;
    const seeds = hashText(userAgent, hashText(today, NO_SEEDS));
    clientSeeds.set(client, { salt: today, seeds });
    return seeds;
  }

  return (request: VisitRequest, client: Client, now: number): VisitorOrigin => {
    const userAgent = request.headers["user-agent"] ?? "";
    const { first, second } = hashText(request.ip ?? "", seedsOf(client, userAgent, now));
    return { countryKey: keyOf(countryOf(request)), register: registerOf(first, second) };
  };
}
export type VisitorOrigins = ReturnType<typeof createVisitorOrigins>;

// Not cryptographic: only 20 bits of the hash are kept, and the seeds are deleted after the day. SHA-256 takes ten times
// as long.
export function hashText(text: string, { first, second }: Seeds): Seeds {
  let [a, b] = [first, second];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x5bd1e995);
    a ^= a >>> 15;
    b = Math.imul(b ^ code, 0x1b873593);
    b ^= b >>> 13;
  }
  return { first: murmurFinalizer(a), second: murmurFinalizer(b) };
}

/** The finalizer of MurmurHash3: each bit of the result depends on all bits of the hash. */
function murmurFinalizer(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
