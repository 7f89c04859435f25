import * as calls from "@tapthru/proto/link-lists";
import type { Context } from "koa";
import { handlers } from "../callers/handlers.ts";
import { countLinks, findLinkStores, listLinkIds, userLinksPage } from "./list-links.ts";

export const linkListHandlers = handlers(calls, {
  listLinks: async (api, { ctx, caller, query }) => {
    const { links, nextCursor } = await userLinksPage(api, caller, query);
    if (nextCursor !== null) {
      const sort = query.sort === "newest" ? undefined : query.sort;
      const tz = sort === "clicks" || sort === "last-tap" ? query.tz : undefined;
      setNextPage(ctx, { ...query, cursor: nextCursor, sort, tz });
    }
    return links;
  },

  listLinkIds: async ({ db }, { ctx, userId, query }) => {
    const { ids, next } = await listLinkIds(db, { userId, ...query });
    if (next !== null) setNextPage(ctx, { ...query, before: next });
    return ids;
  },

  countLinks: ({ db }, { userId, query }) => countLinks(db, { userId, ...query }),

  listLinkStores: ({ db }, { userId }) => findLinkStores(db, userId),
});

function setNextPage(ctx: Context, query: Record<string, string | number | undefined>): void {
  const parameters = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  ctx.set("Link", `<${ctx.path}?${new URLSearchParams(parameters)}>; rel="next"`);
}
