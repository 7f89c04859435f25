import { recentRange } from "@tapthru/core/clicks/click-range";
import type { ClickScope, ClickStore } from "@tapthru/core/clicks/click-store";
import { findOwnLinksByCode } from "@tapthru/core/clicks/queries";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import {
  type ClickQuery,
  type ClickReport,
  getClicks,
  getLinkClicks,
  listLinkPeople,
} from "@tapthru/proto/http/clicks";
import { escapeFormula } from "@tapthru/proto/rules/csv-cell";
import type { Context } from "koa";
import { type ApiRouter, mount, TextReply } from "../http/mount.ts";
import { CSV_TYPE, csvText } from "../http/streams.ts";
import { clickReport, ownLinkScope } from "./click-report.ts";

export interface ClickRoutesDependencies {
  db: Db<"any" | "maybeOne" | "oneFirst">;
  clickStore: Pick<ClickStore, "count" | "peopleByPeriod">;
}

export function clickRoutes(router: ApiRouter, deps: ClickRoutesDependencies) {
  const { db, clickStore } = deps;

  async function reply(ctx: Context, scope: ClickScope, query: ClickQuery) {
    const report = await clickReport(deps, scope, query);
    ctx.vary("Accept");
    if (ctx.accepts("json", "text/csv") !== "text/csv")
      return { status: 200 as const, body: report };
    ctx.attachment("clicks.csv");
    const csv = clickCsv(report, query.by !== undefined);
    return { status: 200 as const, body: new TextReply(CSV_TYPE, csv) };
  }

  mount(router, getLinkClicks, async (ctx, { caller, params, query }) =>
    reply(ctx, await ownLinkScope(db, { userId: caller.userId, ...params }), query),
  );

  mount(router, getClicks, async (ctx, { caller: { userId }, query }) =>
    reply(ctx, { userId, link: null }, query),
  );

  mount(router, listLinkPeople, async (_ctx, { caller: { userId }, query }) => {
    const links = await findOwnLinksByCode(db, { userId, shortCodes: query.codes });
    const linkIds = links.map(({ id }) => id);
    const people = await clickStore.peopleByPeriod(userId, linkIds, recentRange(query.tz));
    const body = links.flatMap(({ id, shortCode }) => {
      const ofLink = people.get(id);
      return ofLink === undefined ? [] : [{ shortCode, people: ofLink }];
    });
    return { status: 200, body };
  });
}

const COUNTS = ["person", "preview", "bot", "prefetch", "visitors", "opened", "assistant"] as const;

/** The breakdown if there is one, else the series. */
function clickCsv({ series, breakdown }: ClickReport, hasBreakdown: boolean): string {
  return hasBreakdown
    ? csvText(
        ["key", ...COUNTS],
        breakdown.map((part) => ({ ...part, key: escapeFormula(part.key) })),
      )
    : csvText(["start", ...COUNTS], series);
}
