import { findTagArrivals } from "@tapthru/core/earnings/tag-arrivals";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import * as calls from "@tapthru/proto/http/earnings";
import { type ApiRouter, mount, TextReply } from "../http/mount.ts";
import { CSV_TYPE } from "../http/streams.ts";
import { earningsCsv } from "./earnings-csv.ts";
import { earningsRange } from "./earnings-range.ts";
import { type EarningsDependencies, earningsTable } from "./earnings-table.ts";
import { linkEarnings } from "./link-earnings.ts";
import { findChannelNames, findRates, upsertRates } from "./queries.ts";

export interface EarningsRoutesDependencies extends EarningsDependencies {
  db: EarningsDependencies["db"] & Db<"query">;
}

export function earningsRoutes(router: ApiRouter, deps: EarningsRoutesDependencies) {
  const { db } = deps;

  mount(router, calls.getEarnings, async (ctx, { caller, query }) => {
    const range = earningsRange(caller.userId, query);
    const { by, sort, limit } = query;
    ctx.vary("Accept");
    if (ctx.accepts("json", "text/csv") !== "text/csv") {
      return { status: 200, body: await earningsTable(deps, range, { by, sort, limit }) };
    }
    const table = await earningsTable(deps, range, { by, sort, limit: null });
    ctx.attachment("earnings.csv");
    return { status: 200, body: new TextReply(CSV_TYPE, earningsCsv(table)) };
  });

  mount(router, calls.getLinkEarnings, async (_ctx, { caller, params, query }) => {
    const range = earningsRange(caller.userId, query);
    return { status: 200, body: await linkEarnings(deps, range, params.shortCode) };
  });

  mount(router, calls.listTagArrivals, async (_ctx, { caller: { userId } }) => {
    const arrivals = await findTagArrivals(db, userId);
    const channels = await findChannelNames(db, userId);
    const body = channels.flatMap(({ id, name }) =>
      arrivals
        .filter(({ channelId }) => channelId === id)
        .map(({ channelId, marketplace, periods, trend: { isFalling, trend } }) => ({
          ...{ channelId, name, marketplace, isFalling, trend, periods },
        })),
    );
    return { status: 200, body };
  });

  mount(router, calls.getEarningsRates, async (_ctx, { caller }) => {
    return { status: 200, body: await findRates(db, caller.userId) };
  });

  mount(router, calls.saveEarningsRates, async (_ctx, { caller, body }) => {
    await upsertRates(db, caller.userId, body);
    return { status: 200, body };
  });
}
