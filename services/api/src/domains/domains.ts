import { randomBytes } from "node:crypto";
import { changed, deleted, inserted } from "@tapthru/core/events";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { Domain, updateDomain } from "@tapthru/proto/domains";
import * as calls from "@tapthru/proto/domains";
import { internal } from "@tapthru/proto/general-errors";
import { DOMAINS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { countUserRequest } from "../callers/guards.ts";
import { lockingUser } from "../callers/users.ts";
import { handlers, reply } from "../calls/handlers.ts";
import { ApiError } from "../http/errors.ts";
import { domainReply } from "./domain-reply.ts";
import { readHostName } from "./host-name.ts";
import {
  type CountedDomainRow,
  countDomainLinks,
  type DomainRef,
  findDomains,
  requireDomain,
  requireUsable,
  setNextCheck,
} from "./queries.ts";
import { removeRootLink, setRootUrl } from "./root-link.ts";

export const domainHandlers = handlers(calls, {
  listDomains: (api, { userId }) => {
    requireDomainsOn(api);
    return listDomains(api, userId);
  },

  /** Also if another user has the domain: whether they control it is checked later. */
  addDomain: async (api, { userId, body }) => {
    requireDomainsOn(api);
    const ref = { userId, host: readHostName(body.host, api.hostNames) };
    const isNew = await lockingUser(api.db, userId, async (transaction) => {
      const hosts = await transaction.anyFirst(sql.type(z.object({ host: z.string() }))`
        SELECT host FROM domains WHERE user_id = ${userId}
      `);
      if (hosts.includes(ref.host)) return false;
      if (hosts.length >= DOMAINS_MAX_COUNT) throw new ApiError(calls.tooManyDomains);
      await transaction.query(sql.type(nothing)`
        WITH ${inserted("domain.created")`(user_id, host, proof) VALUES (${userId}, ${ref.host}, ${randomBytes(16).toString("hex")})`}
        SELECT
      `);
      return true;
    });
    if (!isNew) await setNextCheck(api.db, ref);
    const domain = await getDomain(api, ref);
    return isNew ? reply(201, domain) : reply(200, domain);
  },

  checkDomain: async (api, { userId, params }) => {
    requireDomainsOn(api);
    const ref = { userId, ...params };
    await setNextCheck(api.db, ref);
    return getDomain(api, ref);
  },

  updateDomain: async (api, { ctx, userId, params, body: { rootUrl, ...others } }) => {
    requireDomainsOn(api);
    const ref = { userId, ...params };
    if (rootUrl === undefined) {
      await changeDomain(api, ref, others);
    } else {
      await countUserRequest(api.generateLimit, ctx, userId);
      if (rootUrl === null) await removeRootLink(api, ref, ctx.state.redisBudget);
      else await setRootUrl(api, rootUrl, ref, ctx.state);
    }
    return getDomain(api, ref);
  },

  /** The worker moves its links. */
  removeDomain: async (api, { userId, params: { host } }) => {
    requireDomainsOn(api);
    const movedLinks = await countDomainLinks(api.db, { userId, host });
    if (movedLinks === null) throw new ApiError(calls.domainNotFound);
    await api.db.query(sql.type(nothing)`
      WITH ${deleted("domain.deleted")`user_id = ${userId} AND host = ${host}`} SELECT
    `);
    return { movedLinks };
  },
});

const nothing = z.object({});
export type DomainsReader = Pick<Api, "hostNames" | "findSiteAddresses"> & {
  db: Db<"any" | "maybeOne" | "maybeOneFirst">;
};

function requireDomainsOn({ hasDomains }: Pick<Api, "hasDomains">): void {
  if (!hasDomains) throw new ApiError(calls.domainsOff);
}

export async function listDomains(reader: DomainsReader, userId: number): Promise<Domain[]> {
  return replies(reader, await findDomains(reader.db, userId));
}

/** @throws ApiError (domain-not-found), also for domains of other users */
async function getDomain(reader: DomainsReader, ref: DomainRef): Promise<Domain> {
  const row = { ...(await requireDomain(reader.db, ref)), linkCount: (await countDomainLinks(reader.db, ref)) ?? 0 };
  const [domain] = await replies(reader, [row]);
  if (domain === undefined) throw new ApiError(internal);
  return domain;
}

async function replies(
  { hostNames, findSiteAddresses }: DomainsReader,
  rows: readonly CountedDomainRow[],
): Promise<Domain[]> {
  if (rows.length === 0) return [];
  const site = { host: hostNames.siteHost, addresses: await findSiteAddresses() };
  return rows.map((row) => domainReply(row, site, Date.now()));
}

/** @throws ApiError (domain-not-found, domain-not-usable) */
async function changeDomain(
  { db }: Pick<Api, "db">,
  ref: DomainRef,
  { isDefault, hsts }: Omit<z.output<typeof updateDomain.body>, "rootUrl">,
): Promise<void> {
  const { userId, host } = ref;
  const domain = await requireDomain(db, ref);
  if (isDefault) requireUsable(domain);
  const isDomain = sql.fragment`user_id = ${userId} AND host = ${host}`;
  const others = sql.fragment`user_id = ${userId} AND host <> ${host} AND is_default`;
  const { isDefault: becomesDefault = domain.isDefault, hsts: onlyHttps = domain.hsts } = { isDefault, hsts };
  await lockingUser(db, userId, async (transaction) => {
    // Apart: the unique index allows one default at any time.
    if (isDefault) {
      await transaction.query(sql.type(nothing)`
        WITH ${changed("domain.changed", others)`is_default = false`} SELECT
      `);
    }
    const changes = sql.fragment`is_default = ${becomesDefault}, hsts = ${onlyHttps}`;
    await transaction.query(sql.type(nothing)`WITH ${changed("domain.changed", isDomain)`${changes}`} SELECT`);
  });
}
