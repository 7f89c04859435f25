import { httpErrorOf } from "./http-client.ts";

/** The limits of the api are per minute. */
const MAX_RETRY_AFTER_SECONDS = 60;
export const MAX_THROTTLED_RETRIES = 5;

/** How long the server asks to wait, if it is a time for which a page can wait. */
export function waitSeconds(error: unknown): number | null {
  const refusal = httpErrorOf(error);
  const seconds = refusal?.status === 429 ? refusal.retryAfterSeconds : null;
  return seconds !== null && seconds <= MAX_RETRY_AFTER_SECONDS ? seconds : null;
}

/** Sends one of many requests, again after a pause if there were too many in a minute. */
export async function sendWhenAllowed<Reply>(
  send: () => Promise<Reply>,
  retries = MAX_THROTTLED_RETRIES,
): Promise<Reply> {
  try {
    return await send();
  } catch (error) {
    const seconds = waitSeconds(error);
    if (seconds === null || retries === 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    return sendWhenAllowed(send, retries - 1);
  }
}
