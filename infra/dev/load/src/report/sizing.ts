/** Measured maximum of each component. */
export interface MeasuredCapacity {
  /** Redirects per second of a redirect replica with its own core. */
  replica: number;
  /** Requests per second of a gateway core. */
  gatewayCore: number;
  /** Reads per second of one Redis. */
  redis: number;
  /** Share of the redirects that read Redis because the link is not in memory. */
  redisReadShare: number;
  /** Size of a response with its headers. */
  bytes: number;
  /** Memory that Redis uses for a million links. */
  megabytesPerMillionLinks: number;
}

export interface Size {
  perSecond: number;
  replicas: number;
  gatewayCores: number;
  redisReads: number;
  /** Number of cache servers. If there are several, the links are split between them. */
  redis: number;
  /** Queries per second of replicas that read the outbox. */
  postgresQueries: number;
  /** Maximum lookups of unknown codes per second. */
  postgresMisses: number;
  gigabitsPerSecond: number;
}

/** The rest is reserved for a lost replica, a release or a viral post. */
const MAX_UTILIZATION = 0.5;
/** One replica may fail or be restarted. */
const MIN_REPLICAS = 2;
const TAILS_PER_SECOND = 2;
const MISSES_PER_SECOND = 500;

export function sizeFor(perSecond: number, measured: MeasuredCapacity): Size {
  const required = (load: number, each: number) => Math.ceil(load / (each * MAX_UTILIZATION));
  const replicas = Math.max(MIN_REPLICAS, required(perSecond, measured.replica));
  const redisReads = perSecond * measured.redisReadShare;
  return {
    perSecond,
    replicas,
    gatewayCores: Math.max(MIN_REPLICAS, required(perSecond, measured.gatewayCore)),
    redisReads,
    redis: required(redisReads, measured.redis),
    postgresQueries: replicas * TAILS_PER_SECOND,
    postgresMisses: replicas * MISSES_PER_SECOND,
    gigabitsPerSecond: (perSecond * measured.bytes * 8) / 1e9,
  };
}
