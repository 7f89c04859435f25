import type { Router } from "@koa/router";
import { reportLink } from "@tapthru/proto/http/reports";
import type { CommonQueryMethods } from "slonik";
import { type Guard, mount } from "../http/mount.ts";
import { countReport } from "./queries.ts";

export interface ReportRoutesNeeds {
  db: Pick<CommonQueryMethods, "query">;
  anybody: Guard<void>;
}

export function reportRoutes(router: Router, { db, anybody }: ReportRoutesNeeds) {
  mount(router, reportLink, anybody, async (_ctx, { body: { code: shortCode, reason } }) => {
    await countReport(db, { shortCode, reason });
    return { status: 202, body: {} };
  });
}
