import { hash } from "node:crypto";
import { dimensionKey, UNKNOWN_COUNTRY } from "@tapthru/proto/clicks/keys";
import { registerOf } from "@tapthru/proto/clicks/visitor-sketch";
import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { Client } from "../visitor.ts";
import { type CountryDatabase, countryFromHeader } from "./country-database.ts";
import type { DailySalt } from "./daily-salt.ts";

const MAX_ORIGINS = 5_000;

/** Where a request comes from. */
interface Origin {
  address: string;
  countryKey: string;
  /** Register values by client, under `salt`. */
  registers: Map<Client, number>;
  salt: string;
}

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

/** Country and register value of visitors. Addresses stay in memory and are never passed on. */
export function createVisitorOrigins(options: VisitorOriginsOptions) {
  const { countryHeader, countries, salt } = options;
  const cache = new LRUCache<string, Origin>({ max: MAX_ORIGINS });

  function findOrigin(request: FastifyRequest): Origin {
    // Cheaper than `request.ip`, which is a function of both.
    const { "x-forwarded-for": forwardedFor = "" } = request.headers;
    const cacheKey = `${request.raw.socket.remoteAddress} ${forwardedFor}`;
    const cached = cache.get(cacheKey);
    if (cached !== undefined) return cached;
    const address = request.ip ?? "";
    const country = countries?.countryOf(address) ?? UNKNOWN_COUNTRY;
    const origin = {
      address,
      countryKey: dimensionKey("country", country),
      registers: new Map(),
      salt: "",
    };
    cache.set(cacheKey, origin);
    return origin;
  }

  function registerFor(origin: Origin, client: Client, userAgent: string, now: number): number {
    const today = salt.at(now);
    if (origin.salt !== today) {
      origin.registers.clear();
      origin.salt = today;
    }
    const known = origin.registers.get(client);
    if (known !== undefined) return known;
    const register = registerOf(
      hash("sha256", `${today}\n${origin.address}\n${userAgent}`, "buffer"),
    );
    origin.registers.set(client, register);
    return register;
  }

  return (request: FastifyRequest, client: Client, now: number): VisitorOrigin => {
    const origin = findOrigin(request);
    const { headers } = request;
    return {
      countryKey:
        countryHeader === null
          ? origin.countryKey
          : dimensionKey("country", countryFromHeader(headers[countryHeader])),
      register: registerFor(origin, client, headers["user-agent"] ?? "", now),
    };
  };
}
export type VisitorOrigins = ReturnType<typeof createVisitorOrigins>;
