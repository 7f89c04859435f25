import { findOwnLinksByCode } from "@tapthru/core/clicks/queries";
import { findTagArrivals } from "@tapthru/core/earnings/tag-arrivals";
import * as calls from "@tapthru/proto/earnings";
import { sql } from "slonik";
import * as z from "zod/mini";
import { handlers, TextReply } from "../calls/handlers.ts";
import { CSV_TYPE } from "../http/streams.ts";
import { earningsCsv } from "./earnings-csv.ts";
import { earningsOfLinks } from "./earnings-of-links.ts";
import { earningsRange } from "./earnings-range.ts";
import { earningsTable } from "./earnings-table.ts";
import { linkEarnings } from "./link-earnings.ts";
import { findChannelNames, findRates } from "./queries.ts";

export const earningsHandlers = handlers(calls, {
  getEarnings: async (api, { ctx, userId, query }) => {
    const range = earningsRange(userId, query);
    const { by, sort, limit } = query;
    ctx.vary("Accept");
    if (ctx.accepts("json", "text/csv") !== "text/csv") {
      return earningsTable(api, range, { by, sort, limit });
    }
    const table = await earningsTable(api, range, { by, sort, limit: null });
    ctx.attachment("earnings.csv");
    return new TextReply(CSV_TYPE, earningsCsv(table));
  },

  getLinkEarnings: (api, { userId, params, query }) =>
    linkEarnings(api, earningsRange(userId, query), params.shortCode),

  listLinksEarnings: async ({ db }, { userId, query: { codes } }) => {
    const links = await findOwnLinksByCode(db, { userId, shortCodes: codes });
    const code = new Map(links.map(({ id, shortCode }) => [id, shortCode]));
    const earned = await earningsOfLinks(db, userId, [...code.keys()]);
    return earned.map(({ linkId, ...sum }) => ({ shortCode: code.get(linkId) ?? "", ...sum }));
  },

  listTagArrivals: async ({ db }, { userId }) => {
    const arrivals = await findTagArrivals(db, userId);
    const channels = await findChannelNames(db, userId);
    return channels.flatMap(({ id, name }) =>
      arrivals
        .filter(({ channelId }) => channelId === id)
        .map(({ channelId, marketplace, periods, trend: { isFalling, trend } }) => ({
          ...{ channelId, name, marketplace, isFalling, trend, periods },
        })),
    );
  },

  getEarningsRates: ({ db }, { userId }) => findRates(db, userId),

  saveEarningsRates: async ({ db }, { userId, body }) => {
    await db.query(sql.type(z.object({}))`
      INSERT INTO earnings_rates (user_id, currency, rates)
      VALUES (${userId}, ${body.currency}, ${sql.jsonb([...body.rates])})
      ON CONFLICT (user_id) DO UPDATE SET currency = excluded.currency, rates = excluded.rates
    `);
    return body;
  },
});
