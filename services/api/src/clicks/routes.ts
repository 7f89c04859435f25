import type { Router } from "@koa/router";
import {
  type ClickQuery,
  getClicks,
  getLinkClicks,
  listLinkPeople,
} from "@tapthru/proto/http/clicks";
import type { Context } from "koa";
import type { CommonQueryMethods } from "slonik";
import { CSV_TYPE } from "../http/csv.ts";
import type { Caller } from "../http/guards.ts";
import { type Guard, mount, TextReply } from "../http/mount.ts";
import { clickCsv } from "./click-csv.ts";
import { recentRange } from "./click-range.ts";
import { clickReport } from "./click-report.ts";
import type { ClickScope, ClickStore } from "./click-store.ts";
import { ownLinkScope } from "./own-link-scope.ts";
import { findOwnLinksByCode } from "./queries.ts";

export interface ClickRoutesDependencies {
  db: Pick<CommonQueryMethods, "any" | "maybeOne" | "oneFirst">;
  clickStore: Pick<ClickStore, "count" | "peopleByPeriod">;
  readClicks: Guard<Pick<Caller, "userId">>;
}

export function clickRoutes(router: Router, deps: ClickRoutesDependencies) {
  const { db, clickStore, readClicks } = deps;

  async function reply(ctx: Context, scope: ClickScope, query: ClickQuery) {
    const report = await clickReport(deps, scope, query);
    ctx.vary("Accept");
    if (ctx.accepts("json", "text/csv") !== "text/csv")
      return { status: 200 as const, body: report };
    ctx.attachment("clicks.csv");
    const csv = clickCsv(report, query.by !== undefined);
    return { status: 200 as const, body: new TextReply(CSV_TYPE, csv) };
  }

  mount(router, getLinkClicks, readClicks, async (ctx, { caller, params, query }) =>
    reply(ctx, await ownLinkScope(db, { userId: caller.userId, ...params }), query),
  );

  mount(router, getClicks, readClicks, async (ctx, { caller: { userId }, query }) =>
    reply(ctx, { userId, link: null }, query),
  );

  mount(router, listLinkPeople, readClicks, async (_ctx, { caller: { userId }, query }) => {
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
