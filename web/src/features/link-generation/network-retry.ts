import { isNetworkFailure } from "../../lib/http/http-client.ts";

const NETWORK_RETRIES = 2;
export const NETWORK_RETRY_DELAY_MS = 1_000;

/** Whether creating a link is retried after this number of failures. */
export function isNetworkRetry(failures: number, error: Error): boolean {
  return failures < NETWORK_RETRIES && isNetworkFailure(error);
}
