import type { Db } from "@tapthru/core/platform/postgres/postgres";
import * as calls from "@tapthru/proto/http/labels";
import { type ApiRouter, mount } from "../http/mount.ts";
import { createLabel, deleteLabel, labelLinks, updateLabel } from "./labels.ts";
import { findCountedLabels } from "./queries.ts";

export interface LabelRoutesDependencies {
  db: Db<"any" | "transaction">;
}

/** Mounted before the calls for one link, one of which matches the path of `labelLinks`. */
export function labelRoutes(router: ApiRouter, deps: LabelRoutesDependencies) {
  const { db } = deps;

  mount(router, calls.listLabels, async (_ctx, { caller: { userId } }) => ({
    status: 200,
    body: [...(await findCountedLabels(db, userId))],
  }));

  mount(router, calls.createLabel, async (_ctx, { caller: { userId }, body }) => ({
    status: 201,
    body: await createLabel(db, { userId, ...body }),
  }));

  mount(router, calls.updateLabel, async (_ctx, { caller, params, body }) => ({
    status: 200,
    body: await updateLabel(db, { userId: caller.userId, ...params, ...body }),
  }));

  mount(router, calls.deleteLabel, async (_ctx, { caller: { userId }, params }) => ({
    status: 200,
    body: await deleteLabel(db, { userId, ...params }),
  }));

  mount(router, calls.labelLinks, async (_ctx, { caller: { userId }, body }) => {
    const { ids, addLabels: add, removeLabels: remove } = body;
    return { status: 200, body: { results: await labelLinks(db, { userId, ids, add, remove }) } };
  });
}
