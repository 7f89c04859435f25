import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import type { Observation } from "../load/watch.ts";

/** Accuracy with which a replica knows Postgres's clock: the duration of a response. */
const ACCURACY_MS = 1;
/** Observations this close to the expiry are counted separately. */
const NEAR_MS = 20;

/**
 * Checks responses for links that expire at the same time.
 * @param expiresAt Unix milliseconds
 */
export function checkExpiry(
  observations: readonly Observation[],
  expiresAt: number,
): CheckResult[] {
  const open = observations.filter(({ response }) => response?.status === 302);
  const gone = observations.filter(({ response }) => response?.status === 410);
  const near = observations.filter(
    ({ sentAt, receivedAt }) => sentAt > expiresAt - NEAR_MS && receivedAt < expiresAt + NEAR_MS,
  );
  const tooLate = Math.max(0, ...open.map(({ sentAt }) => sentAt - expiresAt));
  const tooEarly = Math.max(0, ...gone.map(({ receivedAt }) => expiresAt - receivedAt));
  return [
    observed(
      "302 responses, 410 responses, of these near the expiry",
      [open, gone, near].map(({ length }) => length).join(", "),
    ),
    none(
      "responses other than 302 and 410",
      observations.flatMap(({ response }) =>
        response?.status === 302 || response?.status === 410 ? [] : String(response?.status),
      ),
    ),
    none("missing observations", [
      ...(open.length === 0 ? ["before the expiry"] : []),
      ...(gone.length === 0 ? ["after the expiry"] : []),
    ]),
    atMost("latest 302 requested after the expiry", tooLate, ACCURACY_MS, "ms"),
    atMost("earliest 410 returned before the expiry", tooEarly, ACCURACY_MS, "ms"),
  ];
}
