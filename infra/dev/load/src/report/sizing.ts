/** What one of each carries at full load. */
export interface Measured {
  /** Redirects a second, of a redirect replica with a core to itself. */
  replica: number;
  /** Requests a second, of a core of the gateway. */
  gatewayCore: number;
  /** Reads a second, of one Redis. */
  redis: number;
  /** Of the redirects, those whose link no replica's memory has. */
  askRedis: number;
  /** Of an answer, with its headers. */
  bytes: number;
  /** Of Redis' memory. */
  megabytesPerMillionLinks: number;
}

export interface Size {
  perSecond: number;
  replicas: number;
  gatewayCores: number;
  redisReads: number;
  /** The cache's, each with its part of the links beyond the first. */
  redis: number;
  /** Queries a second of replicas that follow the outbox. */
  postgresQueries: number;
  /** The most that they let through to Postgres when unknown codes pour in. */
  postgresMisses: number;
  gigabitsPerSecond: number;
}

/** Half of what is there stays free: for a lost replica, a release, a post that goes viral. */
const USED = 0.5;
/** One may fail or be replaced. */
const AT_LEAST = 2;
const TAILS_PER_SECOND = 2;
const MISSES_PER_SECOND = 500;

export function sizeFor(perSecond: number, measured: Measured): Size {
  const needed = (load: number, each: number) => Math.ceil(load / (each * USED));
  const replicas = Math.max(AT_LEAST, needed(perSecond, measured.replica));
  const redisReads = perSecond * measured.askRedis;
  return {
    perSecond,
    replicas,
    gatewayCores: Math.max(AT_LEAST, needed(perSecond, measured.gatewayCore)),
    redisReads,
    redis: needed(redisReads, measured.redis),
    postgresQueries: replicas * TAILS_PER_SECOND,
    postgresMisses: replicas * MISSES_PER_SECOND,
    gigabitsPerSecond: (perSecond * measured.bytes * 8) / 1e9,
  };
}
