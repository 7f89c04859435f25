import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  backoffRemainingMs,
  type HostBackoff,
  INITIAL_BACKOFF,
  nextBackoff,
} from "./host-backoff.ts";
import type { Outcome, Reading } from "./source.ts";

const MINUTE = 60_000;
const READ: Reading = {
  kind: "read",
  metadata: { title: "Lamp", description: null, imageUrl: null, siteName: null },
};
const nothing = (outcome: Outcome): Reading => ({ kind: "nothing", outcome });
const CAPTCHA = nothing("captcha");

/** The mood after readings of which each comes as soon as it may. */
function after(readings: Reading[], mood = INITIAL_BACKOFF): HostBackoff {
  return readings.reduce((mood, reading) => nextBackoff(mood, reading, mood.restsUntil), mood);
}
const captchas = (count: number) => Array.from({ length: count }, () => CAPTCHA);

describe("a host", () => {
  it("is asked on after a few refusals", () => {
    expect(backoffRemainingMs(after(captchas(4)), 0)).toBe(0);
  });

  it("rests for a minute after the fifth in a row", () => {
    const mood = nextBackoff(after(captchas(4)), CAPTCHA, 1_000);
    expect(backoffRemainingMs(mood, 1_000 + MINUTE - 1)).toBeGreaterThan(0);
    expect(backoffRemainingMs(mood, 1_000 + MINUTE)).toBe(0);
  });

  it("rests twice as long after each further one, up to an hour", () => {
    let mood = after(captchas(4));
    const rests = Array.from({ length: 9 }, () => {
      const before = mood.restsUntil;
      mood = nextBackoff(mood, CAPTCHA, before);
      return (mood.restsUntil - before) / MINUTE;
    });
    expect(rests).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it.each(["captcha", "error-page", "refused"] as const)("refuses by %s", (outcome) => {
    expect(backoffRemainingMs(after([...captchas(4), nothing(outcome)]), 0)).toBeGreaterThan(0);
  });

  it.each(["consent", "gone", "leads-elsewhere", "too-slow", "unreachable", "unreadable"] as const)(
    "neither refuses nor is calmed by %s",
    (outcome) => {
      expect(backoffRemainingMs(after([...captchas(4), nothing(outcome)]), 0)).toBe(0);
      expect(
        backoffRemainingMs(after([...captchas(4), nothing(outcome), CAPTCHA]), 0),
      ).toBeGreaterThan(0);
    },
  );

  it("is calmed by one page", () => {
    expect(after([...captchas(12), READ])).toEqual(INITIAL_BACKOFF);
    expect(backoffRemainingMs(after([...captchas(4), READ, ...captchas(4)]), 0)).toBe(0);
  });

  it("does not rest longer for answers to what was asked before", () => {
    const resting = nextBackoff(after(captchas(4)), CAPTCHA, 0);
    expect(nextBackoff(resting, CAPTCHA, MINUTE - 1)).toEqual(resting);
  });

  it("never rests more than an hour, whatever comes", () => {
    const reading = fc.constantFrom(READ, CAPTCHA, nothing("error-page"), nothing("gone"));
    fc.assert(
      fc.property(fc.array(fc.tuple(reading, fc.nat(2 * 60 * MINUTE))), (readings) => {
        let [mood, now] = [INITIAL_BACKOFF, 0];
        for (const [reading, pause] of readings) {
          now += pause;
          mood = nextBackoff(mood, reading, now);
          expect(mood.restsUntil - now).toBeLessThanOrEqual(60 * MINUTE);
        }
      }),
    );
  });
});
