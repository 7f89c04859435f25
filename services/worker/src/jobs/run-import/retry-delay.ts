import type { Destination } from "./find-destination.ts";

const FIRST_DELAY_MS = 15_000;
/** Less than the time after which an import counts as stalled. */
const MAX_DELAY_MS = 240_000;
/** About 20 minutes. */
const MAX_ATTEMPTS = 9;
/** So that lines that were not requested come first, and a few that always fail do not hold up the others. */
const REQUESTED_DELAY_MS = 1_000;

/** How long a line waits after so many failed attempts; null: it is refused. */
export function retryDelayMs(
  failedAttempts: number,
  failure: Extract<Destination, string>,
): number | null {
  if (failedAttempts >= MAX_ATTEMPTS) return null;
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (failedAttempts - 1), MAX_DELAY_MS);
  return failure === "no-response" ? delayMs + REQUESTED_DELAY_MS : delayMs;
}
