import { withProduct } from "@tapthru/core/links/link-addresses";
import { addMassChange } from "@tapthru/core/links/mass-changes";
import { recordAction } from "@tapthru/core/platform/audit-log";
import { countUpTo } from "@tapthru/core/platform/postgres/values";
import * as calls from "@tapthru/proto/product-links";
import { COUNTED_LINKS_MAX, PREVIEWED_LINKS_COUNT } from "@tapthru/proto/rules/limits";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { sql } from "slonik";
import * as z from "zod/mini";
import { handlers } from "../calls/handlers.ts";

export const productLinkHandlers = handlers(calls, {
  previewProductChange: async ({ db, publicBaseUrl }, { userId, query: { marketplace, from, to } }) => {
    const ofProduct = sql.fragment`
      links WHERE user_id = ${userId} AND asin = ${from} AND marketplace = ${marketplace} AND taken_down_at IS NULL`;
    const found = await db.any(sql.type(PreviewedLink)`
      SELECT id, short_code AS "shortCode", web_url AS "webUrl",
        (SELECT ${countUpTo(COUNTED_LINKS_MAX, ofProduct)}) AS count
      FROM ${ofProduct} LIMIT ${PREVIEWED_LINKS_COUNT}
    `);
    const links = found.flatMap(({ id, shortCode, webUrl }) => {
      const newUrl = withProduct(publicBaseUrl, webUrl, to)?.webUrl;
      return newUrl === undefined ? [] : [{ id, shortUrl: shortUrl(publicBaseUrl, shortCode), webUrl, newUrl }];
    });
    return { count: found[0]?.count ?? 0, links };
  },

  changeProduct: ({ db }, { userId, body }) =>
    db.transaction(async (transaction) => {
      await addMassChange(transaction, "product", { userId, ...body });
      const { marketplace, undoOf } = body;
      const [from, to] = undoOf === undefined ? [body.from, body.to] : [body.to, body.from];
      await recordAction(transaction, {
        ...{ action: "links.changed", objectId: String(userId), object: `amazon.${marketplace}`, ownerId: userId },
        ...{ before: { product: from }, after: { product: to } },
      });
      const changedAt = await transaction.oneFirst(sql.type(Now)`SELECT utc_text(now()) AS now`);
      return { changedAt };
    }),
});

const Now = z.object({ now: z.string() });
const PreviewedLink = z.object({ id: z.int(), shortCode: z.string(), webUrl: z.string(), count: z.int() });
