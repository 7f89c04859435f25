import { randomBytes } from "node:crypto";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { Domain, updateDomain as updateDomainCall } from "@tapthru/proto/http/domains";
import { DOMAINS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import type * as z from "zod/mini";
import { lockUser } from "../accounts/queries.ts";
import { ApiError } from "../errors.ts";
import { domainReply } from "./domain-reply.ts";
import { type HostNameSettings, readHostName } from "./host-name.ts";
import {
  type DomainRef,
  type DomainRow,
  deleteDomain,
  findDomain,
  findDomains,
  insertDomain,
  setDefault,
  setHsts,
  setNextCheck,
} from "./queries.ts";
import type { FindSiteAddresses } from "./site-addresses.ts";

export interface DomainsDependencies {
  db: Db<"any" | "maybeOne" | "query" | "transaction">;
  hostNames: HostNameSettings;
  findSiteAddresses: FindSiteAddresses;
}

/** The user's domains, by name. */
export async function listDomains(deps: DomainsDependencies, userId: number): Promise<Domain[]> {
  return replies(deps, await findDomains(deps.db, userId));
}

/** @throws ApiError (domain-not-found), also for domains of other users */
export async function getDomain(deps: DomainsDependencies, ref: DomainRef): Promise<Domain> {
  const [domain] = await replies(deps, [await requireDomain(deps.db, ref)]);
  if (domain === undefined) throw new ApiError("internal");
  return domain;
}

async function replies(
  { hostNames, findSiteAddresses }: DomainsDependencies,
  rows: readonly DomainRow[],
): Promise<Domain[]> {
  if (rows.length === 0) return [];
  const site = { host: hostNames.siteHost, addresses: await findSiteAddresses() };
  return rows.map((row) => domainReply(row, site, Date.now()));
}

/**
 * Adds a domain, also if another user has it: whether they control it is checked later.
 * @throws ApiError (domain-refused, too-many-domains)
 */
export async function addDomain(
  deps: DomainsDependencies,
  { userId, host: text }: DomainRef,
): Promise<{ isNew: boolean; domain: Domain }> {
  const ref = { userId, host: readHostName(text, deps.hostNames) };
  const isNew = await deps.db.transaction(async (transaction) => {
    if (!(await lockUser(transaction, userId))) throw new ApiError("login-required");
    const domains = await findDomains(transaction, userId);
    if (domains.some(({ host }) => host === ref.host)) return false;
    if (domains.length >= DOMAINS_MAX_COUNT) throw new ApiError("too-many-domains");
    await insertDomain(transaction, { ...ref, proof: randomBytes(16).toString("hex") });
    return true;
  });
  if (!isNew) await setNextCheck(deps.db, ref);
  return { isNew, domain: await getDomain(deps, ref) };
}

/** Lets the worker check the domain next. */
export async function requestCheck(deps: DomainsDependencies, ref: DomainRef): Promise<Domain> {
  await setNextCheck(deps.db, ref);
  return getDomain(deps, ref);
}

type Change = Omit<z.output<typeof updateDomainCall.body>, "rootUrl">;

/** @throws ApiError (domain-not-found, domain-not-usable) */
export async function changeDomain(
  { db }: Pick<DomainsDependencies, "db">,
  ref: DomainRef,
  { isDefault, hsts }: Change,
): Promise<void> {
  const domain = await requireDomain(db, ref);
  if (hsts !== undefined) await setHsts(db, ref, hsts);
  if (isDefault === undefined) return;
  if (isDefault) requireUsable(domain);
  else if (!domain.isDefault) return;
  const host = isDefault ? ref.host : null;
  await db.transaction(async (transaction) => {
    await lockUser(transaction, ref.userId);
    await setDefault(transaction, { userId: ref.userId, host });
  });
}

/** Deletes the domain. The worker moves its links. @returns how many they are */
export async function removeDomain(
  { db }: Pick<DomainsDependencies, "db">,
  ref: DomainRef,
): Promise<number> {
  const { linkCount } = await requireDomain(db, ref);
  await deleteDomain(db, ref);
  return linkCount;
}

/** @throws ApiError (domain-not-found), also for domains of other users */
export async function requireDomain(db: Db<"maybeOne">, ref: DomainRef): Promise<DomainRow> {
  const row = await findDomain(db, ref);
  if (row === null) throw new ApiError("domain-not-found");
  return row;
}

/** @throws ApiError (domain-not-usable) */
export function requireUsable({ verifiedAt, offAt }: DomainRow): void {
  if (verifiedAt === null || offAt !== null) throw new ApiError("domain-not-usable");
}
