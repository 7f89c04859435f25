import { ReplyError } from "ioredis";

export class RedisUnavailableError extends Error {
  override readonly name = "RedisUnavailableError";

  constructor(redis: string, problem: string, options?: ErrorOptions) {
    super(`Redis for ${redis} ${problem}`, options);
  }
}

/** Error replies of a server that cannot serve (out of memory, loading, read-only, busy), or not this client. */
const UNAVAILABLE_REPLY =
  /^(OOM|LOADING|MISCONF|READONLY|BUSY|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|TRYAGAIN|NOAUTH|WRONGPASS) /;

/** Codes of errors of TLS: the certificate is not accepted, or the server does not use TLS. */
const TLS_CODE = /^(UNABLE_TO_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|ERR_TLS_|ERR_SSL_)/;

/** ioredis' messages for a lost connection; it has no classes for most of them. */
const DISCONNECTED_MESSAGES = [
  "Connection is closed.",
  "Command timed out",
  "Command aborted due to connection close",
  "Stream isn't writeable and enableOfflineQueue options is false",
  "Cluster isn't ready and enableOfflineQueue options is false",
  "Cluster is ended.",
  "None of startup nodes is available",
  "Failed to refresh slots cache.",
];

export function isRedisUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof ReplyError) return UNAVAILABLE_REPLY.test(error.message);
  if (error instanceof AggregateError) return error.errors.every(isRedisUnavailable);
  return (
    error instanceof RedisUnavailableError ||
    "syscall" in error ||
    ("code" in error && TLS_CODE.test(String(error.code))) ||
    error.message.startsWith("Too many Cluster redirections") ||
    error.name === "MaxRetriesPerRequestError" ||
    DISCONNECTED_MESSAGES.includes(error.message)
  );
}

/** Returns null while Redis is unavailable, which the Redis client logs. Rejects with other errors. */
export async function bestEffort<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RedisUnavailableError) return null;
    throw error;
  }
}
