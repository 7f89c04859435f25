import { wait } from "../timeouts.ts";
import { isRetryable } from "./http-client.ts";

const RETRY_DELAY_MS = 1_000;

/** Retries a call once after a delay, if its error is retryable. */
export async function retryOnce<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Error) || !isRetryable(error)) throw error;
    await wait(RETRY_DELAY_MS);
    return call();
  }
}
