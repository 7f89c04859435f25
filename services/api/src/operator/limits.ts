import type { Router } from "@koa/router";
import { listLimits, type OperatorLimit, raiseLimit } from "@tapthru/proto/http/operator/limits";
import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import { recordAction } from "@tapthru/runtime/audit-log";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { ApiError } from "../errors.ts";
import type { Caller } from "../http/guards.ts";
import { type Guard, mount } from "../http/mount.ts";
import type { RaisedLimits } from "../http/raised-limits.ts";
import type { LimitName } from "../http/rate-limits.ts";
import type { AnonymousBudget } from "../links/anonymous-budget.ts";

/** The limit of all visitors without an account together. */
export const ANONYMOUS_CREATES = "anonymousCreates";

/** The redirect counts for them, which does not read which limits are raised. */
const LIMITS_OF_REDIRECT: readonly LimitName[] = ["outcome", "unknownCode"];
const NAMES = (Object.keys(RATE_LIMITS_PER_MINUTE) as LimitName[]).filter(
  (name) => !LIMITS_OF_REDIRECT.includes(name),
);

export interface LimitRoutesDependencies {
  db: Db<"transaction">;
  /** False: the installation has no limits. */
  hasLimits: boolean;
  anonymousCreatesPerMinute: number;
  raisedLimits: RaisedLimits;
  anonymousBudget: Pick<AnonymousBudget, "countUsed">;
  operator: Guard<Caller>;
}

export function limitRoutes(router: Router, deps: LimitRoutesDependencies) {
  const { db, hasLimits, raisedLimits, anonymousBudget, operator } = deps;

  mount(router, listLimits, operator, async () => {
    await raisedLimits.poll();
    const limits = NAMES.map(describe);
    return { status: 200, body: { isOn: hasLimits, limits: [await describeShared(), ...limits] } };
  });

  mount(router, raiseLimit, operator, async (_ctx, { params: { name }, body: { factor } }) => {
    const known = NAMES.find((each) => each === name);
    if (known === undefined && name !== ANONYMOUS_CREATES) throw new ApiError("not-found");
    await raisedLimits.poll();
    // The row is rolled back if Redis fails.
    await db.transaction(async (transaction) => {
      await recordAction(transaction, {
        action: "limit.raised",
        objectId: name,
        object: name,
        ownerId: null,
        before: { factor: raisedLimits.factorOf(name) },
        after: { factor },
      });
      await raisedLimits.raise(name, factor);
    });
    return { status: 200, body: known ? describe(known) : await describeShared() };
  });

  function describe(name: LimitName): OperatorLimit {
    const { address, visitor } = RATE_LIMITS_PER_MINUTE[name];
    return { name, address, visitor, all: null, used: null, ...raiseOf(name) };
  }

  async function describeShared(): Promise<OperatorLimit> {
    return {
      name: ANONYMOUS_CREATES,
      address: null,
      visitor: null,
      all: deps.anonymousCreatesPerMinute,
      used: await anonymousBudget.countUsed(),
      ...raiseOf(ANONYMOUS_CREATES),
    };
  }

  function raiseOf(name: string) {
    const raised = raisedLimits.find(name);
    return {
      factor: raised?.factor ?? 1,
      raisedUntil: raised && new Date(raised.untilMs).toISOString(),
    };
  }
}
