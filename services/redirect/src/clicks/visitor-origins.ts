import { dimensionKey } from "@tapthru/proto/clicks/keys";
import { registerOf } from "@tapthru/proto/clicks/visitor-sketch";
import { hashText, type Seeds } from "../visitor/hashes.ts";
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
