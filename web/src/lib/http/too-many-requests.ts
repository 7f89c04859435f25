import { wait } from "../timeouts.ts";
import { httpErrorOf } from "./http-client.ts";

/** The limits of the api are per minute. */
const MAX_RETRY_AFTER_SECONDS = 60;
export const MAX_THROTTLED_RETRIES = 5;
const BUSY_SECONDS = 5;

/** How long the server asks to wait, if it is a time for which a page can wait. */
export function waitSeconds(error: unknown): number | null {
  const refusal = httpErrorOf(error);
  const seconds = refusal?.status === 429 ? refusal.retryAfterSeconds : null;
  return seconds !== null && seconds <= MAX_RETRY_AFTER_SECONDS ? seconds : null;
}

/** As waitSeconds, and for a service that is busy. */
export function waitOrBusySeconds(error: unknown): number | null {
  const refusal = httpErrorOf(error);
  const isBusy = refusal !== null && refusal.status >= 500;
  return isBusy ? (refusal.retryAfterSeconds ?? BUSY_SECONDS) : waitSeconds(error);
}

interface WaitOptions {
  /** How long to wait after a failure; null: it is thrown. By default, only if there were too many requests in a minute. */
  secondsAfter?: (error: unknown) => number | null;
  /** Ends the wait. What was sent is not taken back. */
  signal?: AbortSignal;
  /** Called when it has to wait, and with false when it continues. */
  onWait?: (isWaiting: boolean) => void;
}

export async function sendWhenAllowed<Reply>(
  send: () => Promise<Reply>,
  { secondsAfter = waitSeconds, signal, onWait }: WaitOptions = {},
): Promise<Reply> {
  for (let failures = 0; ; failures++) {
    try {
      return await send();
    } catch (error) {
      const seconds = secondsAfter(error);
      if (seconds === null || failures === MAX_THROTTLED_RETRIES) throw error;
      onWait?.(true);
      await wait(seconds * 1_000, signal);
      signal?.throwIfAborted();
      onWait?.(false);
    }
  }
}
