import { randomBytes } from "node:crypto";
import { changed, deleted, inserted } from "@tapthru/core/events";
import { type Destination, NO_CHANNELS } from "@tapthru/core/links/channel-tags";
import { createLinks } from "@tapthru/core/links/create-links";
import { insertLinkChanges, retireDeletedLinks } from "@tapthru/core/outbox";
import { changing, type Db } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import type { Domain, updateDomain } from "@tapthru/proto/domains";
import * as calls from "@tapthru/proto/domains";
import { internal, slugTaken } from "@tapthru/proto/general-errors";
import { DOMAINS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { countUserRequest } from "../callers/guards.ts";
import { handlers, reply } from "../callers/handlers.ts";
import { lockingUser } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";
import { type ChangeLinkDependencies, changeLink } from "../links/change-link.ts";
import { type RequestState, resolvePage } from "../links/destination.ts";
import { INSERTED_LINK, type RecordedLinkRow, redirectRecords } from "../links/link-row.ts";
import { type ChangeDependencies, removeLink } from "../links/user-links.ts";
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

/**
 * Sets where `/` of a domain leads, with an ordinary link of the user. A link that has another code now, because
 * the domain was removed and added again, is left alone.
 * @throws ApiError as for the destination of a link; domain-not-found, domain-not-usable
 */
async function setRootUrl(
  deps: ChangeLinkDependencies,
  url: string,
  ref: DomainRef,
  state: RequestState,
): Promise<void> {
  requireUsable(await requireDomain(deps.db, ref));
  const shortCode = `@${ref.host}`;
  if ((await findRootLink(deps.db, ref))?.shortCode === shortCode) {
    await changeLink(deps, { userId: ref.userId, shortCode }, { url }, state);
    return;
  }
  const row = await createRootLink(deps, ref, await resolvePage(deps, url, state));
  if (row === "slug-taken") throw new ApiError(slugTaken);
  await deps.projectLinks(redirectRecords([row]), state.redisBudget);
}

/**
 * Creates the link that opens at `/` of a domain. Its code may have been that of an earlier root link.
 * @returns `slug-taken` if the domain has one. The row has the first revision, also if the link replaces another one
 */
export async function createRootLink(
  { db, publicBaseUrl }: { db: Db<"transaction">; publicBaseUrl: string },
  { userId, host: domain }: DomainRef,
  destination: Destination,
): Promise<RecordedLinkRow | "slug-taken"> {
  const created = db.transaction(async (transaction) => {
    const revision = await transaction.oneFirst(sql.type(z.object({ revision: z.int() }))`
      SELECT release_root_code(${domain}) AS revision
    `);
    const app = { db: transaction, publicBaseUrl };
    const creator = { userId, channels: NO_CHANNELS, domain };
    const links = [{ destination, slug: "" }];
    const [root = "slug-taken"] = await createLinks(app, creator, links, INSERTED_LINK);
    if (root === "slug-taken") throw new RootLinkExists();
    if (revision > 1) {
      await transaction.query(sql.type(z.object({}))`
        WITH link AS (
          UPDATE links SET revision = ${revision} WHERE id = ${root.row.id}
          RETURNING short_code, revision
        ) ${insertLinkChanges}
      `);
    }
    return root.row;
  });
  return created.catch((error: unknown) => {
    if (error instanceof RootLinkExists) return "slug-taken";
    throw error;
  });
}

/** Rolls back what `release_root_code` did: it may have released the code of a root link that was just inserted. */
class RootLinkExists extends Error {}

/** Deletes the link at `/`. One that has another code now only loses that place. */
async function removeRootLink(deps: ChangeDependencies, ref: DomainRef, budget: RedisBudget): Promise<void> {
  await requireDomain(deps.db, ref);
  const link = await findRootLink(deps.db, ref);
  if (link === null) return;
  if (link.shortCode === `@${ref.host}`) {
    await removeLink(deps, { userId: ref.userId, id: link.id }, budget);
    return;
  }
  const retired = await retireRootCode(deps.db, ref);
  if (retired === null) return;
  const { shortCode, revision } = retired;
  await deps.projectLinks([{ shortCode, record: { state: "gone", revision, reason: "deleted" } }], budget);
}

const RootLink = z.object({ id: z.int(), shortCode: z.string() });

/** The link that opens at `/`: its code, or an earlier one, is `@host`. */
function findRootLink(db: Db<"maybeOne">, { userId, host }: DomainRef) {
  return db.maybeOne(sql.type(RootLink)`
    SELECT id, short_code AS "shortCode" FROM links
    WHERE id = find_link_id(${`@${host}`}) AND user_id = ${userId}
  `);
}

const RetiredCode = z.object({ shortCode: z.string(), revision: z.int() });

/** Retires `@host` where it is an earlier code of a link of the user. The link stays. */
function retireRootCode(db: Db<"maybeOne">, { userId, host }: DomainRef) {
  return db.maybeOne(changing(RetiredCode)`
    WITH code AS MATERIALIZED (
      SELECT code.short_code FROM link_codes code JOIN links ON links.id = link_id
      WHERE code.short_code = ${`@${host}`} AND links.short_code <> code.short_code AND user_id = ${userId}
      FOR UPDATE OF code
    ), link AS MATERIALIZED (
      SELECT short_code, release_root_code(${host}) AS revision, 'deleted' AS reason FROM code
    ), ${retireDeletedLinks}
    SELECT short_code AS "shortCode", revision FROM link
  `);
}
