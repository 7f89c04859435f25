import type { PageState } from "@tapthru/proto/rules/link-health";
import { describe, expect, it } from "vitest";
import { OUTCOMES } from "../source.ts";
import { checkDelay, nextPageCheck, type PageCheck, stateOfRead } from "./page-check.ts";

const HOUR_MS = 3_600_000;
const METADATA = { title: "A lamp", description: null, imageUrl: null, siteName: null };
const NEW: PageCheck = { state: "unknown", checkedAt: null, suspectedState: null, suspectedAt: null };
const BAD_STATES = ["product-gone", "out-of-stock", "redirected-elsewhere"] as const;

function after(...checks: [hours: number, found: PageState][]): PageState {
  return checks.reduce((check, [hours, found]) => nextPageCheck(check, found, hours * HOUR_MS), NEW).state;
}

describe("a read", () => {
  it("finds what its page says", () => {
    expect(stateOfRead({ kind: "read", metadata: METADATA })).toBe("ok");
    for (const state of ["out-of-stock", "redirected-elsewhere"] as const) {
      expect(stateOfRead({ kind: "read", metadata: METADATA, state })).toBe(state);
    }
  });

  it("finds nothing by a captcha, a refusal, an error or silence", () => {
    const known = { gone: "product-gone", "leads-elsewhere": "redirected-elsewhere" };
    for (const outcome of OUTCOMES) {
      expect([outcome, stateOfRead({ kind: "nothing", outcome })]).toEqual([
        outcome,
        outcome in known ? known[outcome as keyof typeof known] : "unknown",
      ]);
    }
  });
});

describe.each(BAD_STATES)("a page that a check finds %s", (bad) => {
  it("stores the state after a second check, at least six hours after the first", () => {
    expect(after([0, "ok"], [1, bad])).toBe("ok");
    expect(after([0, "ok"], [1, bad], [6.9, bad])).toBe("ok");
    expect(after([0, "ok"], [1, bad], [7, bad])).toBe(bad);
    expect(after([0, bad], [2, bad], [4, bad])).toBe("unknown");
    expect(after([0, bad], [2, bad], [6, bad])).toBe(bad);
  });

  it("needs two checks that agree without another result between them", () => {
    expect(after([0, bad], [1, "ok"], [7, bad])).toBe("ok");
    const other = BAD_STATES.find((state) => state !== bad) ?? "ok";
    expect(after([0, "ok"], [1, bad], [7, other], [13, bad])).toBe("ok");
  });

  it("checks without a result do not change the state", () => {
    expect(after([0, bad], [7, "unknown"], [14, "unknown"])).toBe("unknown");
    expect(after([0, bad], [3, "unknown"], [7, bad])).toBe(bad);
  });

  it("one good check makes the page ok again", () => {
    expect(after([0, bad], [7, bad], [8, "ok"])).toBe("ok");
  });
});

describe("a page that does not respond", () => {
  it("keeps its state for 14 days", () => {
    expect(after([0, "ok"], [14 * 24, "unknown"])).toBe("ok");
    expect(after([0, "ok"], [14 * 24 + 1, "unknown"])).toBe("unknown");
  });

  it("a page that never responded is unknown", () => {
    expect(after([0, "unknown"], [1, "unknown"])).toBe("unknown");
  });
});

it.each([
  ["a week later", { isSuspected: false, isActive: false }, 7 * 24],
  ["a day later if links to it are new or clicked", { isSuspected: false, isActive: true }, 24],
  ["seven hours later if the last check found something new", { isSuspected: true, isActive: true }, 7],
])("the next check of a page is %s, and up to a fifth more", (_, activity, hours) => {
  expect(checkDelay(activity, 0)).toBe(hours * HOUR_MS);
  expect(checkDelay(activity, 1)).toBe(Math.round(hours * 1.2 * HOUR_MS));
});
