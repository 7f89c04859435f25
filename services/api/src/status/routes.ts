import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { getAppOpeningStatus } from "@tapthru/proto/http/app-opening-status";
import { APP_OPENING_STATUS_DAYS } from "@tapthru/proto/rules/limits";
import { cached } from "../cached.ts";
import { type ApiRouter, mount } from "../http/mount.ts";
import { findReportedRows } from "./queries.ts";

const CACHED_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

export interface StatusRoutesDependencies {
  db: Db<"any">;
}

export function statusRoutes(router: ApiRouter, { db }: StatusRoutesDependencies) {
  const readStatus = cached(CACHED_MS, async () => {
    const firstDay = Date.now() - (APP_OPENING_STATUS_DAYS - 1) * DAY_MS;
    const since = new Date(firstDay).toISOString().slice(0, 10);
    return { since, rows: [...(await findReportedRows(db, since))] };
  });

  mount(router, getAppOpeningStatus, async () => ({
    status: 200,
    body: await readStatus(),
  }));
}
