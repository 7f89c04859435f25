import { ReplyError } from "ioredis";

export class RedisUnavailableError extends Error {
  override readonly name = "RedisAwayError";

  constructor(redis: string, trouble: string, options?: ErrorOptions) {
    super(`Redis for ${redis} ${trouble}`, options);
  }
}

/** Replies by which a server says that it cannot serve now: full, loading, a replica, busy. */
const UNABLE =
  /^(OOM|LOADING|MISCONF|READONLY|BUSY|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|TRYAGAIN|NOAUTH) /;

/** What ioredis says of a connection that is not there; it has no classes for most of it. */
const DISCONNECTED = [
  "Connection is closed.",
  "Command timed out",
  "Command aborted due to connection close",
  "Stream isn't writeable and enableOfflineQueue options is false",
];

export function isRedisUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof ReplyError) return UNABLE.test(error.message);
  return (
    "syscall" in error ||
    error.name === "MaxRetriesPerRequestError" ||
    DISCONNECTED.includes(error.message)
  );
}
