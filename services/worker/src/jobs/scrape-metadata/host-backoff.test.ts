import { describe, expect, it } from "vitest";
import type { Outcome, ReadResult } from "./source.ts";
import { backoffRemainingMs, type HostBackoff, INITIAL_BACKOFF, nextBackoff } from "./throttled-source.ts";

const MINUTE = 60_000;
const READ: ReadResult = {
  kind: "read",
  metadata: { title: "Lamp", description: null, imageUrl: null, siteName: null },
};
const nothing = (outcome: Outcome): ReadResult => ({ kind: "nothing", outcome });
const CAPTCHA = nothing("captcha");

/** The backoff after results, each at the first allowed time. */
function after(results: ReadResult[], backoff = INITIAL_BACKOFF): HostBackoff {
  return results.reduce((backoff, result) => nextBackoff(backoff, result, backoff.until), backoff);
}
const captchas = (count: number) => Array.from({ length: count }, () => CAPTCHA);

describe("a host", () => {
  it("gets no requests for a minute after the fifth refusal in a row", () => {
    const backoff = nextBackoff(after(captchas(4)), CAPTCHA, 1_000);
    expect(backoffRemainingMs(backoff, 1_000 + MINUTE - 1)).toBeGreaterThan(0);
    expect(backoffRemainingMs(backoff, 1_000 + MINUTE)).toBe(0);
  });

  it("gets a backoff twice as long after each further refusal, up to an hour", () => {
    let backoff = after(captchas(4));
    const backoffMinutes = Array.from({ length: 9 }, () => {
      const before = backoff.until;
      backoff = nextBackoff(backoff, CAPTCHA, before);
      return (backoff.until - before) / MINUTE;
    });
    expect(backoffMinutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it.each(["captcha", "error-page", "refused"] as const)("counts as refusing after %s", (outcome) => {
    expect(backoffRemainingMs(after([...captchas(4), nothing(outcome)]), 0)).toBeGreaterThan(0);
  });

  it.each(["consent", "gone", "leads-elsewhere", "too-slow", "unreachable", "unreadable"] as const)(
    "keeps its number of refusals after %s",
    (outcome) => {
      expect(backoffRemainingMs(after([...captchas(4), nothing(outcome)]), 0)).toBe(0);
      expect(backoffRemainingMs(after([...captchas(4), nothing(outcome), CAPTCHA]), 0)).toBeGreaterThan(0);
    },
  );

  it("has no backoff after one page was read", () => {
    expect(after([...captchas(12), READ])).toEqual(INITIAL_BACKOFF);
    expect(backoffRemainingMs(after([...captchas(4), READ, ...captchas(4)]), 0)).toBe(0);
  });

  it("keeps its backoff after responses to earlier requests", () => {
    const current = nextBackoff(after(captchas(4)), CAPTCHA, 0);
    expect(nextBackoff(current, CAPTCHA, MINUTE - 1)).toEqual(current);
  });
});
