import type { ClickReport } from "@tapthru/proto/clicks";
import { HttpResponse, http } from "msw";

const NONE = { person: 0, preview: 0, bot: 0, prefetch: 0, assistant: 0, visitors: 0, opened: 0, tried: 0 };

type Counts = Partial<typeof NONE>;

/** A report of the api. Each of `days` is a count on a local day from 2026-11-01 on. @param breakdown taps of people, or counts of classes @param prefix of the names of links */
export function clickReport(
  days: Counts[] = [],
  breakdown: Record<string, number | Counts> = {},
  prefix?: string,
): ClickReport {
  const totals = { ...NONE };
  for (const day of days) {
    for (const key of Object.keys(NONE) as (keyof typeof NONE)[]) totals[key] += day[key] ?? 0;
  }
  return {
    timeZone: "UTC",
    from: "2026-11-01T00:00:00.000Z",
    to: "2026-12-01T00:00:00.000Z",
    completeUntil: "2026-11-21T12:00:00.000Z",
    hasTaps: totals.person > 0,
    totals,
    series: days.map((counts, i) => ({
      start: new Date(2026, 10, 1 + i).toISOString(),
      ...NONE,
      ...counts,
    })),
    breakdown: Object.entries(breakdown).map(([key, counts]) => ({
      ...NONE,
      key,
      ...(typeof counts === "number" ? { person: counts } : counts),
      ...(prefix !== undefined && { name: prefix + key }),
    })),
  };
}

/** The clicks of a link and of all links. The reply depends on the query. */
export function clicksApiHandlers(reply: (query: URLSearchParams, path: string) => Response) {
  return ["/api/clicks", "/api/links/:shortCode/clicks"].map((path) =>
    http.get(path, ({ request }) => {
      const { searchParams, pathname } = new URL(request.url);
      return reply(searchParams, pathname);
    }),
  );
}

export const emptyClicksApiHandlers = [
  http.get("/api/clicks/links", () => HttpResponse.json([])),
  ...clicksApiHandlers(() => HttpResponse.json(clickReport())),
];
