import { SHORT_CODE_PATTERN } from "@tapthru/proto/redirect/short-code";
import type { TokenBucket } from "limiter";
import type { Link, Lookup } from "../link.ts";
import type { AddressLimiter } from "./address-limit.ts";
import type { ChangeTail } from "./change-tail.ts";
import { type CachedLink, REFRESH_PAUSE_MS } from "./link-cache.ts";
import type { Memory } from "./memory.ts";
import type { Resolution } from "./resolution.ts";

/**
 * Who asks; his address is looked at only where it counts, and before anybody is waited for: once he
 * has hung up nobody knows it.
 */
interface Caller {
  readonly ip: string | undefined;
}

export interface ResolverNeeds {
  memory: Memory;
  tail: Pick<ChangeTail, "freshUntil" | "trustsRedis" | "next">;
  readRedis(shortCode: string): Promise<Link | null>;
  readPostgres(shortCode: string): Promise<Lookup>;
  /** Of codes that nobody knows; null: without limit. */
  unknownCodeLimit: AddressLimiter | null;
  /** Of look-ups in Postgres. */
  lookupRate: Pick<TokenBucket, "tryRemoveTokens">;
}

export interface Resolver {
  /** At once for a link in memory; no promise is made for it. */
  resolve(shortCode: string, caller: Caller): Resolution | Promise<Resolution>;
}

const UNKNOWN: Lookup = { state: "unknown" };
const UNAVAILABLE: Lookup = { state: "unavailable" };
const NOT_A_CODE: Resolution = { source: "none", lookup: UNKNOWN };

/**
 * Asks the memory, then Redis, then Postgres: once for all who want the same code at the same time. A
 * replica that read no changes for too long, because it was frozen, reads them first.
 */
export function createResolver(needs: ResolverNeeds): Resolver {
  const { memory, tail, readRedis, readPostgres, unknownCodeLimit, lookupRate } = needs;
  /** Look-ups in flight, which further requests for the same code join. */
  const postgresReads = new Map<string, Promise<Lookup>>();

  function resolve(shortCode: string, caller: Caller): Resolution | Promise<Resolution> {
    if (!SHORT_CODE_PATTERN.test(shortCode)) return NOT_A_CODE;
    const now = performance.now();
    if (now > tail.freshUntil) return resolveAfterTail(shortCode, { ip: caller.ip });
    return resolveNow(shortCode, caller, now);
  }

  async function resolveAfterTail(shortCode: string, caller: Caller): Promise<Resolution> {
    await tail.next();
    return resolveNow(shortCode, caller, performance.now());
  }

  function resolveNow(
    shortCode: string,
    caller: Caller,
    now: number,
  ): Resolution | Promise<Resolution> {
    const kept = memory.links.get(shortCode);
    if (kept === undefined) return ask(shortCode, addressOf(caller));
    if (now < kept.refreshAt) return kept;
    kept.refreshAt = Math.min(now + REFRESH_PAUSE_MS, kept.dropAt);
    return refresh(kept, shortCode, addressOf(caller));
  }

  async function refresh(
    kept: CachedLink,
    shortCode: string,
    address: string,
  ): Promise<Resolution> {
    const asked = await ask(shortCode, address);
    const { state } = asked.lookup;
    const nobodyKnew = state === "unavailable" || state === "limited";
    return nobodyKnew && performance.now() < kept.dropAt ? kept : asked;
  }

  async function ask(shortCode: string, address: string): Promise<Resolution> {
    if (memory.unknownCodes.has(shortCode) && (await isStillUnknown(shortCode))) {
      return { source: "none", lookup: countUnknown(address) };
    }
    if (tail.trustsRedis) {
      const link = await readRedis(shortCode);
      if (link !== null) return { source: "redis", lookup: link };
    }
    return askPostgres(shortCode, address);
  }

  /** Whether it is known not to have been made since. */
  async function isStillUnknown(shortCode: string): Promise<boolean> {
    return (await tail.next()) && memory.unknownCodes.has(shortCode);
  }

  async function askPostgres(shortCode: string, address: string): Promise<Resolution> {
    const inFlight = postgresReads.get(shortCode);
    if (inFlight !== undefined) {
      const lookup = await inFlight;
      return resolutionOf(lookup.state === "unknown" ? countUnknown(address) : lookup);
    }
    const refusal = countUnknown(address);
    if (refusal.state === "limited") return { source: "none", lookup: refusal };
    const lookup = lookupRate.tryRemoveTokens(1) ? await startLookup(shortCode) : UNAVAILABLE;
    if (lookup.state !== "unknown") unknownCodeLimit?.giveBack(address);
    return resolutionOf(lookup);
  }

  function startLookup(shortCode: string): Promise<Lookup> {
    const lookup = readPostgres(shortCode).finally(() => postgresReads.delete(shortCode));
    postgresReads.set(shortCode, lookup);
    return lookup;
  }

  /** Counts a code that is, or may turn out to be, unknown; `limited` when there were too many. */
  function countUnknown(address: string): Lookup {
    const waitMs = unknownCodeLimit?.take(address, performance.now()) ?? 0;
    return waitMs === 0 ? UNKNOWN : { state: "limited", retryAfterMs: waitMs };
  }

  return { resolve };
}

/** All who have hung up already are counted as one. */
function addressOf({ ip }: Caller): string {
  return ip ?? "";
}

function resolutionOf(lookup: Lookup): Resolution {
  const hasAnswered = lookup.state !== "unavailable" && lookup.state !== "limited";
  return { source: hasAnswered ? "postgres" : "none", lookup };
}
