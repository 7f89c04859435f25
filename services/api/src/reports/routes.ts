import type { Router } from "@koa/router";
import { reportLink } from "@tapthru/proto/http/reports";
import type { CommonQueryMethods } from "slonik";
import { type Guard, mount } from "../http/mount.ts";
import { countReport } from "./queries.ts";

export interface ReportRoutesDependencies {
  db: Pick<CommonQueryMethods, "query">;
  publicAccess: Guard<void>;
}

export function reportRoutes(router: Router, { db, publicAccess }: ReportRoutesDependencies) {
  mount(router, reportLink, publicAccess, async (_ctx, { body: { code: shortCode, reason } }) => {
    await countReport(db, { shortCode, reason });
    return { status: 202, body: {} };
  });
}
