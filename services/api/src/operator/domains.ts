import { recordAction } from "@tapthru/core/platform/audit-log";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { isoOrNull } from "@tapthru/core/platform/postgres/values";
import {
  listAllDomains,
  type OperatorDomain,
  retryDomain,
} from "@tapthru/proto/http/operator/domains";
import { domainStatus } from "../domains/domain-reply.ts";
import {
  findAllDomains,
  findDomainWithOwner,
  type OwnedDomainRow,
  setNextCheck,
} from "../domains/queries.ts";
import { ApiError } from "../errors.ts";
import { type ApiRouter, mount } from "../http/mount.ts";
import type { QueueJob } from "../queue-job.ts";

export interface OperatorDomainsDependencies {
  db: Db<"any" | "transaction">;
  hasDomains: boolean;
  queueJob: QueueJob;
}

export function operatorDomainRoutes(router: ApiRouter, deps: OperatorDomainsDependencies) {
  const { db, hasDomains, queueJob } = deps;

  mount(router, listAllDomains, async (_ctx, { query: { q = "" } }) => {
    const domains = await findAllDomains(db, q.toLowerCase());
    return { status: 200, body: { hasDomains, domains: domains.map(reply) } };
  });

  mount(router, retryDomain, async (ctx, { params }) => {
    const domain = await db.transaction(async (transaction) => {
      await setNextCheck(transaction, params);
      const found = await findDomainWithOwner(transaction, params);
      if (found === null) throw new ApiError("domain-not-found");
      const { id, host, ownerId } = found;
      const action = "domain.retried";
      await recordAction(transaction, { action, objectId: String(id), object: host, ownerId });
      return found;
    });
    await queueJob("check-domains", {}, ctx.state.requestId);
    return { status: 202, body: reply(domain) };
  });
}

function reply(row: OwnedDomainRow): OperatorDomain {
  const { id, host, ownerId, ownerName, linkCount, checkedAt, nextCheckAt } = row;
  return {
    id,
    host,
    owner: { id: ownerId, username: ownerName },
    ...domainStatus(row, Date.now()),
    linkCount,
    checkedAt: isoOrNull(checkedAt),
    nextCheckAt: isoOrNull(nextCheckAt),
  };
}
