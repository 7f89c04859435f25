import { expect, it } from "vitest";
import { type Exchange, unexpectedResponses } from "./exchange.ts";
import { percentileMs } from "./latency.ts";

function exchange(tookMs: number, status: number | null = 201): Exchange {
  const response =
    status === null ? null : { status, location: null, retryAfter: null, body: "no\n" };
  return { index: 0, dueAtMs: 0, tookMs, response };
}

it("finds responses with other statuses and requests without a response", () => {
  const exchanges = [exchange(1, 201), exchange(1, 200), exchange(1, 500), exchange(1, null)];

  expect(unexpectedResponses([200, 201], exchanges)).toEqual(["500 no", "no response"]);
});

it("returns the percentile of the latencies", () => {
  const exchanges = [4, 1, 3, 2].map((tookMs) => exchange(tookMs));

  expect([0.25, 0.5, 0.99, 1].map((share) => percentileMs(exchanges, share))).toEqual([1, 2, 4, 4]);
});
