import { clickRange, recentRange } from "@tapthru/core/clicks/click-range";
import type { ClickScope } from "@tapthru/core/clicks/click-reader";
import { findCompleteUntil, findOwnLinkId, findOwnLinksByCode, hasTaps } from "@tapthru/core/clicks/queries";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { ClickQuery, ClickReport } from "@tapthru/proto/clicks";
import * as calls from "@tapthru/proto/clicks";
import { referrerSource } from "@tapthru/proto/clicks/sources";
import { invalidQuery, linkNotFound } from "@tapthru/proto/general-errors";
import { escapeFormula } from "@tapthru/proto/rules/csv-cell";
import type { Context } from "koa";
import type { Api } from "../api.ts";
import type { Caller } from "../callers/guards.ts";
import { handlers, TextReply } from "../callers/handlers.ts";
import { findLinkNames } from "../earnings/link-names.ts";
import { ApiError, malformedField } from "../http/errors.ts";
import { CSV_TYPE, csvText } from "../http/streams.ts";

export const clickHandlers = handlers(calls, {
  getLinkClicks: async (api, { ctx, caller, userId, params, query }) =>
    reply(api, ctx, caller, await ownLinkScope(api.db, { userId, ...params }), query),

  getClicks: (api, { ctx, caller, userId, query }) => reply(api, ctx, caller, { userId, linkIds: null }, query),

  listLinkPeople: async ({ db, clickReader }, { userId, query: { codes, tz } }) => {
    const links = await findOwnLinksByCode(db, { userId, shortCodes: codes });
    const linkIds = links.map(({ id }) => id);
    const people = await clickReader.peopleByPeriod(linkIds, recentRange(tz));
    return links.flatMap(({ id, shortCode }) => {
      const ofLink = people.get(id);
      return ofLink === undefined ? [] : [{ shortCode, people: ofLink }];
    });
  },
});

const COUNTS = ["person", "preview", "bot", "prefetch", "visitors", "opened", "assistant", "tried"] as const;

/** Replies as CSV with the breakdown if there is one, with each host, else with the series. */
async function reply(api: Api, ctx: Context, caller: Caller, scope: ClickScope, query: ClickQuery) {
  const isCsv = ctx.accepts("json", "text/csv") === "text/csv";
  const report = await clickReport(api, caller, scope, query, { hasHosts: isCsv });
  ctx.vary("Accept");
  if (!isCsv) return report;
  ctx.attachment("clicks.csv");
  const csv =
    query.by === undefined
      ? csvText(["start", ...COUNTS], report.series, query.separator)
      : csvText(
          ["key", ...COUNTS],
          report.breakdown.map(({ name: _, ...part }) => ({ ...part, key: escapeFormula(part.key) })),
          query.separator,
        );
  return new TextReply(CSV_TYPE, csv);
}

/** @param form.hasHosts whether referrers are hosts, not sources @throws ApiError if the range is invalid */
export async function clickReport(
  api: Pick<Api, "db" | "clickReader" | "publicBaseUrl">,
  { scopes }: Pick<Caller, "scopes">,
  scope: ClickScope,
  query: ClickQuery,
  form = { hasHosts: false },
): Promise<ClickReport> {
  const range = clickRange(query, Date.now());
  if (range === null) throw new ApiError(invalidQuery, { message: malformedField("from") });
  const { db, clickReader } = api;
  const showsNames = query.by === "link" && (scopes?.includes("links:read") ?? true);
  const iso = (time: number) => new Date(time).toISOString();
  const [completeUntil, { totals, series, breakdown: parts }] = await Promise.all([
    findCompleteUntil(db),
    clickReader.count(scope, range, query.by),
  ]);
  const breakdown = query.by === "referrer" && !form.hasHosts ? bySource(parts) : parts;
  return {
    timeZone: query.tz,
    from: iso(range.from),
    to: iso(range.to),
    completeUntil: iso(completeUntil),
    ...(scope.linkIds === null && { hasTaps: totals.person > 0 || (await hasTaps(db, scope.userId)) }),
    totals,
    series: range.starts.flatMap((start, index) => {
      const period = series[index];
      return period === undefined ? [] : [{ start: iso(start), ...period }];
    }),
    breakdown: showsNames ? await withNames(api, scope.userId, breakdown) : breakdown,
  };
}

function bySource(parts: ClickReport["breakdown"]): ClickReport["breakdown"] {
  const sources = Map.groupBy(parts, ({ key }) => referrerSource(key));
  return Array.from(sources, ([key, hosts]) => {
    const person = hosts.reduce((sum, host) => sum + host.person, 0);
    return { ...hosts[0], key, person } as ClickReport["breakdown"][number];
  }).sort((one, other) => other.person - one.person);
}

/** @param parts by short code */
async function withNames(
  { db, publicBaseUrl }: Pick<Api, "db" | "publicBaseUrl">,
  userId: number,
  parts: ClickReport["breakdown"],
): Promise<ClickReport["breakdown"]> {
  const found = await findOwnLinksByCode(db, { userId, shortCodes: parts.map(({ key }) => key) });
  const links = await findLinkNames(
    { db, publicBaseUrl },
    userId,
    found.map(({ id }) => id),
  );
  const names = new Map(links.map((link) => [link.shortCode, link.name]));
  return parts.map((part) => ({ ...part, name: names.get(part.key) }));
}

/** @throws ApiError if the user has no such link */
export async function ownLinkScope(
  db: Db<"maybeOne">,
  { userId, shortCode }: { userId: number; shortCode: string },
): Promise<ClickScope> {
  const link = await findOwnLinkId(db, { userId, shortCode });
  if (link === null) throw new ApiError(linkNotFound);
  return { userId, linkIds: [link.id] };
}
