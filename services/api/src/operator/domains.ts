import { record } from "@tapthru/core/events";
import { isoOrNull } from "@tapthru/core/platform/postgres/values";
import { domainNotFound } from "@tapthru/proto/domains";
import type { OperatorDomain } from "@tapthru/proto/operator/domains";
import * as calls from "@tapthru/proto/operator/domains";
import { handlers } from "../callers/handlers.ts";
import { domainStatus } from "../domains/domain-reply.ts";
import { findAllDomains, findDomainWithOwner, type OwnedDomainRow, setNextCheck } from "../domains/queries.ts";
import { ApiError } from "../http/errors.ts";

export const operatorDomainHandlers = handlers(calls, {
  listAllDomains: async ({ db, hasDomains }, { query: { q = "" } }) => {
    const domains = await findAllDomains(db, q.toLowerCase());
    return { hasDomains, domains: domains.map(operatorDomain) };
  },

  retryDomain: async ({ db }, { params }) => {
    const domain = await db.transaction(async (transaction) => {
      await setNextCheck(transaction, params);
      const found = await findDomainWithOwner(transaction, params);
      if (found === null) throw new ApiError(domainNotFound);
      const { id, host, ownerId } = found;
      await record(transaction, "domain.retried", { objectId: String(id), object: host, ownerId });
      return found;
    });
    return operatorDomain(domain);
  },
});

function operatorDomain(row: OwnedDomainRow): OperatorDomain {
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
