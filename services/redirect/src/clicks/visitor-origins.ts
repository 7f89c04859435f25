import { dimensionKey, UNKNOWN_COUNTRY } from "@tapthru/proto/clicks/keys";
import { registerOf } from "@tapthru/proto/clicks/visitor-sketch";
import type { FastifyRequest } from "fastify";
import type { Client } from "../visitor.ts";
import { createClientAddress } from "./client-address.ts";
import { type CountryDatabase, countryFromHeader } from "./country-database.ts";
import type { DailySalt } from "./daily-salt.ts";
import { hashText, type Seeds } from "./visitor-hash.ts";

export interface VisitorOriginsOptions {
  /** Lower case; null if no proxy sets one. */
  countryHeader: string | null;
  countries: CountryDatabase | null;
  salt: Pick<DailySalt, "at">;
}

export interface VisitorOrigin {
  countryKey: string;
  /** The register value of this visitor on this day. */
  register: number;
}

const NO_SEEDS: Seeds = { first: 0x9747b28c, second: 0x2545f491 };

/** Country and register value of visitors. Addresses are used for the duration of the call and not kept. */
export function createVisitorOrigins({ countryHeader, countries, salt }: VisitorOriginsOptions) {
  const addressOf = createClientAddress();
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

  return (request: FastifyRequest, client: Client, now: number): VisitorOrigin => {
    const { headers } = request;
    const address = addressOf(request);
    const country =
      countryHeader === null
        ? (countries?.countryOf(address) ?? UNKNOWN_COUNTRY)
        : countryFromHeader(headers[countryHeader]);
    const { first, second } = hashText(address, seedsOf(client, headers["user-agent"] ?? "", now));
    return { countryKey: keyOf(country), register: registerOf(first, second) };
  };
}
export type VisitorOrigins = ReturnType<typeof createVisitorOrigins>;
