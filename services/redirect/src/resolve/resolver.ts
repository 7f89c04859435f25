import { lacksTag } from "@tapthru/proto/redirect/link-of-owner";
import { VISITS_IN_PROGRESS_MAX } from "@tapthru/proto/rules/limits";
import { SHORT_CODE_PATTERN } from "@tapthru/proto/rules/short-code";
import type { RateLimiterMemory } from "rate-limiter-flexible";
import type { AddressLimiter } from "../address-limit.ts";
import { type Link, type LiveLink, type Lookup, linkOfOwner } from "../link.ts";
import type { ChangeTail } from "./changes/change-tail.ts";
import type { CachedLink, Memory, Resolution } from "./memory.ts";

/** Pause between two refreshes. The cached link is served during it. */
const REFRESH_RETRY_MS = 1_000;

/**
 * The client of a request. Its address is read only when needed, and before any wait: it is unknown after the client has
 * disconnected.
 */
interface Caller {
  readonly ip: string | undefined;
}

export interface ResolverDependencies {
  memory: Memory;
  tail: Pick<ChangeTail, "freshUntil" | "trustsRedis" | "sync">;
  readRedis(shortCode: string): Promise<Link | null>;
  readPostgres(shortCode: string): Promise<Lookup>;
  /** Limits requests for unknown codes; null if they are not limited. */
  unknownCodeLimiter: AddressLimiter | null;
  /** Limits lookups in Postgres. */
  lookupRate: Pick<RateLimiterMemory, "consume">;
}

export interface Resolver {
  /** Synchronous for a link in memory, which avoids a promise. */
  resolve(shortCode: string, caller: Caller): Resolution | Promise<Resolution>;
}

/**
 * Visits that wait for Postgres at the same time; others get 503 at once. The gateway refuses all visits above its limit,
 * so this leaves room for links in memory while Postgres does not respond.
 */
export const WAITING_VISITS_MAX = (VISITS_IN_PROGRESS_MAX * 3) / 4;

/** A link without what its owner says. */
interface FoundLink extends Pick<Resolution, "source"> {
  shortCode: string;
  link: LiveLink;
}

const UNKNOWN: Lookup = { state: "unknown" };
const UNAVAILABLE: Lookup = { state: "unavailable" };
const INVALID_CODE: Resolution = { source: "none", lookup: UNKNOWN };
const TOO_MANY_WAIT: Resolution = { source: "none", lookup: UNAVAILABLE };

/**
 * Looks up codes in memory, then in Redis, then in Postgres. Concurrent requests for a code share one lookup in Postgres.
 * If the tail is not fresh, for example after the process was suspended, changes are read first.
 */
export function createResolver(deps: ResolverDependencies): Resolver {
  const { memory, tail, readRedis, readPostgres, unknownCodeLimiter, lookupRate } = deps;
  /** Concurrent requests for the same code share one. */
  const lookupsInFlight = new Map<string, Promise<Lookup>>();
  const limitWaiting = createWaitingLimit(WAITING_VISITS_MAX);

  function resolve(shortCode: string, caller: Caller): Resolution | Promise<Resolution> {
    if (!SHORT_CODE_PATTERN.test(shortCode)) return INVALID_CODE;
    const now = performance.now();
    if (now > tail.freshUntil) return resolveAfterSync(shortCode, { ip: caller.ip });
    return resolveNow(shortCode, caller, now);
  }

  async function resolveAfterSync(shortCode: string, caller: Caller): Promise<Resolution> {
    await tail.sync();
    return resolveNow(shortCode, caller, performance.now());
  }

  function resolveNow(shortCode: string, caller: Caller, now: number): Resolution | Promise<Resolution> {
    const found = find(shortCode, caller, now);
    return found instanceof Promise
      ? found.then((resolution) => withOwner(shortCode, resolution, performance.now()))
      : withOwner(shortCode, found, now);
  }

  /** The link with what its owner says, which is in memory for all but the first of the owner's links. */
  function withOwner(shortCode: string, found: Resolution, now: number): Resolution | Promise<Resolution> {
    const { source, lookup: link } = found;
    if (link.state !== "live" || link.owner === undefined) return found;
    const owner = find(link.owner, null, now);
    if (owner instanceof Promise) return owner.then(({ lookup }) => joinNewest({ shortCode, source, link }, lookup));
    return owner.lookup === link.saidBy ? found : joinNewest({ shortCode, source, link }, owner.lookup);
  }

  /** The known owner may be older than a link that follows a channel, unless the link was joined with the same revision. */
  function joinNewest(found: FoundLink, owner: Lookup): Resolution | Promise<Resolution> {
    const { link } = found;
    const isOlder = owner.state === "owner" && owner.revision !== link.saidBy?.revision && lacksTag(link, owner);
    return isOlder ? readOwner(link, owner).then((newest) => join(found, newest)) : join(found, owner);
  }

  /** @returns the known owner if Postgres does not respond */
  async function readOwner(link: LiveLink, known: Lookup): Promise<Lookup> {
    const { lookup } = (await limitWaiting(() => lookUpInPostgres(link.owner ?? "", null))) ?? TOO_MANY_WAIT;
    return hasFailed({ lookup }) ? known : lookup;
  }

  function join({ shortCode, source, link }: FoundLink, owner: Lookup): Resolution {
    if (owner.state === "gone") return { source, lookup: owner };
    if (owner.state !== "owner") return { source: "none", lookup: owner.state === "unknown" ? UNKNOWN : UNAVAILABLE };
    if (owner.isBlocked) return { source, lookup: { state: "gone", revision: owner.revision, reason: "taken-down" } };
    const joined = linkOfOwner(link, owner);
    memory.replace(shortCode, link, joined);
    return { source, lookup: joined };
  }

  /** @param caller null: for the record of an owner, whose key no client chooses */
  function find(key: string, caller: Caller | null, now: number): Resolution | Promise<Resolution> {
    const cached = memory.get(key);
    if (cached === undefined) return lookUp(key, addressOf(caller));
    if (now < cached.refreshAt) return cached;
    cached.refreshAt = Math.min(now + REFRESH_RETRY_MS, cached.usableUntil);
    return refresh(cached, key, addressOf(caller));
  }

  async function refresh(cached: CachedLink, shortCode: string, address: string | null): Promise<Resolution> {
    const refreshed = await lookUp(shortCode, address);
    const isUsable =
      performance.now() < cached.usableUntil && cached.lookup.revision >= memory.minimumRevision(shortCode);
    return hasFailed(refreshed) && isUsable ? cached : refreshed;
  }

  async function lookUp(shortCode: string, address: string | null): Promise<Resolution> {
    if (memory.unknownCodes.has(shortCode)) {
      const counted = countUnknownCode(address);
      if (counted.state === "limited") return { source: "none", lookup: counted };
      const isUnknown = await limitWaiting(() => isStillUnknown(shortCode));
      if (isUnknown === true) return { source: "none", lookup: counted };
      refund(address);
      if (isUnknown === null) return TOO_MANY_WAIT;
    }
    const link = tail.trustsRedis ? await readRedis(shortCode) : null;
    const inRedis: Resolution | null = link && { source: "redis", lookup: link };
    if (inRedis && !link?.isOfOtherRelease) return inRedis;
    const found = (await limitWaiting(() => lookUpInPostgres(shortCode, address))) ?? TOO_MANY_WAIT;
    return inRedis && hasFailed(found) ? inRedis : found;
  }

  /** Returns true if the link has not been created since. */
  async function isStillUnknown(shortCode: string): Promise<boolean> {
    return (await tail.sync()) && memory.unknownCodes.has(shortCode);
  }

  async function lookUpInPostgres(shortCode: string, address: string | null): Promise<Resolution> {
    const inFlight = lookupsInFlight.get(shortCode);
    if (inFlight !== undefined) {
      const lookup = await inFlight;
      return resolutionOf(lookup.state === "unknown" ? countUnknownCode(address) : lookup);
    }
    const limited = countUnknownCode(address);
    if (limited.state === "limited") return { source: "none", lookup: limited };
    const lookup = await startLookup(shortCode);
    if (lookup.state !== "unknown") refund(address);
    return resolutionOf(lookup);
  }

  function startLookup(shortCode: string): Promise<Lookup> {
    const lookup = readWithinRate(shortCode).finally(() => lookupsInFlight.delete(shortCode));
    lookupsInFlight.set(shortCode, lookup);
    return lookup;
  }

  async function readWithinRate(shortCode: string): Promise<Lookup> {
    const isWithinRate = await lookupRate.consume("").then(
      () => true,
      () => false,
    );
    return isWithinRate ? readPostgres(shortCode) : UNAVAILABLE;
  }

  /** Counts a code that is or may be unknown. Returns `limited` above the limit. */
  function countUnknownCode(address: string | null): Lookup {
    const waitMs = address === null ? 0 : (unknownCodeLimiter?.consume(address, performance.now()) ?? 0);
    return waitMs === 0 ? UNKNOWN : { state: "limited", retryAfterMs: waitMs };
  }

  function refund(address: string | null): void {
    if (address !== null) unknownCodeLimiter?.refund(address);
  }

  return { resolve };
}

/** All clients without a known address are counted together. */
function addressOf(caller: Caller | null): string | null {
  return caller && (caller.ip ?? "");
}

function resolutionOf(lookup: Lookup): Resolution {
  return { source: hasFailed({ lookup }) ? "none" : "postgres", lookup };
}

const hasFailed = ({ lookup: { state } }: Pick<Resolution, "lookup">) => state === "unavailable" || state === "limited";

/** Runs work unless `max` other pieces of work are unfinished; then it returns null at once. */
type LimitWaiting = <T>(work: () => Promise<T>) => Promise<T | null>;

function createWaitingLimit(max: number): LimitWaiting {
  let waiting = 0;
  return async (work) => {
    if (waiting >= max) return null;
    waiting++;
    try {
      return await work();
    } finally {
      waiting--;
    }
  };
}
