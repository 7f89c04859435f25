import { X509Certificate } from "node:crypto";
import type { DomainProblem } from "@tapthru/proto/rules/domains";
import type { App, CertificateOrders, DomainChecks } from "../../app.ts";
import { type Due, dueKind } from "../../due.ts";
import { factsOfSite, findProblem } from "../check-domains/check-domains.ts";
import { registeredDomain } from "../check-domains/decide-check.ts";
import { reportProblem, setNextCheck } from "../check-domains/due-domains.ts";
import { arrivesByHttp } from "../check-domains/probe.ts";
import { type Authority, AuthorityError } from "./acme/authority.ts";
import { isEnding, LIMITED_MS, orderDelay, renewalTime, suggestedTime } from "./order-rules.ts";
import * as queries from "./orders.ts";

/** A host that does not lead here: its next check is due sooner. */
const NOT_HERE_DELAY_MS = { first: 10_000, renewal: 10 * 60_000 };
const CHECKED_AFTER_MS = 5_000;

type OrderApp = Pick<App, "db" | "logger" | "countOrder" | "domainChecks" | "certificateOrders">;
type Round = Pick<App, "db" | "logger" | "countOrder"> &
  DomainChecks &
  CertificateOrders &
  NonNullable<Awaited<ReturnType<typeof factsOfSite>>> & { authority: Authority };

/** Adds the site's own host to the hosts that need a certificate, and removes those of hosts without a user. */
export const updateHosts = dueKind<OrderApp, string>({
  everyMs: 15_000,
  claim: async () => ["all"],
  keyOf: (hosts) => hosts,
  work: async ({ db, domainChecks, certificateOrders }) =>
    domainChecks && queries.updateHosts(db, certificateOrders?.includesSite ? domainChecks.siteHost : null),
});

export const orderCertificates = dueKind({
  everyMs: 2_000,
  atOnce: 4,
  claim: (app: OrderApp, due) => claimWithAuthority(app, due, queries.claimOrders),
  keyOf: ({ due }) => due.host,
  work: (_app, { round, due }) => orderOne(round, due),
});

/** Asks whether the authority wants some certificates to be renewed earlier, for example because it will revoke them. */
export const checkRenewals = dueKind({
  everyMs: 60_000,
  limit: 20,
  claim: (app: OrderApp, due) => claimWithAuthority(app, due, queries.claimRenewalChecks),
  keyOf: ({ due }) => due.host,
  async work(_app, { round: { db, authority }, due }, { signal }) {
    const window = await authority.renewalWindow(due.chain).catch(() => null);
    const at = window && suggestedTime(window, Date.now(), Math.random());
    if (!signal.aborted) await queries.storeRenewalCheck(db, due, at);
  },
});

/** Empty while our own name servers do not respond, or the authority refuses an account: what was claimed waits for its lease. */
async function claimWithAuthority<Row>(
  { domainChecks, certificateOrders, ...app }: OrderApp,
  due: Due,
  claim: (db: App["db"], due: Due) => Promise<readonly Row[]>,
): Promise<{ round: Round; due: Row }[]> {
  if (domainChecks === null || certificateOrders === null) return [];
  const rows = await claim(app.db, due);
  const facts = rows.length === 0 ? null : await factsOfSite(domainChecks);
  if (facts === null || facts.thumbprint === null) return [];
  const authority = await certificateOrders.openAuthority(await domainChecks.findAccount());
  const round = { ...app, ...domainChecks, ...certificateOrders, ...facts, authority };
  return rows.map((due) => ({ round, due }));
}

async function orderOne(round: Round, due: queries.DueCertificate): Promise<void> {
  const { db, authority, certificateKeys, countOrder, logger } = round;
  const { host, chain: replaced } = due;
  const obstacle = await findObstacle(round, due);
  if (obstacle !== null) {
    countOrder("not-sent");
    const notHereMs = NOT_HERE_DELAY_MS[replaced === null ? "first" : "renewal"];
    const delayMs = obstacle === "order-limit" ? LIMITED_MS : notHereMs;
    await queries.postponeOrder(db, host, { problem: obstacle, delayMs, isFailure: false });
    return reportEnd(round, due, obstacle);
  }
  try {
    const { chain, key } = await authority.order(host, replaced);
    const { validFromDate, validToDate } = new X509Certificate(chain);
    const life = { startMs: validFromDate.getTime(), endMs: validToDate.getTime() };
    const encryptedKey = certificateKeys.encrypt(key, host);
    const issued = { chain, encryptedKey, notAfter: life.endMs, renewAt: renewalTime(life) };
    await queries.storeCertificate(db, host, issued, CHECKED_AFTER_MS);
    countOrder("issued");
    logger.info({ event: "certificate_ordered", host }, "got a certificate");
  } catch (error) {
    if (!(error instanceof AuthorityError)) throw error;
    const { problem, message } = error;
    const delayMs = orderDelay(problem, due.failedOrders + 1, replaced !== null);
    await queries.postponeOrder(db, host, { problem, delayMs, isFailure: true });
    countOrder(problem);
    logger.warn({ event: "certificate_order_failed", host, problem, reason: message }, "an order failed");
    await reportEnd(round, due, problem);
  }
}

/** Why no order is sent: the host does not lead here now, or the limits are used up. */
async function findObstacle(
  round: Round,
  { host, isSite, domainId }: queries.DueCertificate,
): Promise<DomainProblem | null> {
  const { db, dns, probe, thumbprint } = round;
  const problem = isSite
    ? (await arrivesByHttp(probe, host, thumbprint ?? ""))
      ? null
      : "http-unreachable"
    : await findProblem(round, host, { records: await dns.records(host), isProven: true });
  if (problem !== null) {
    if (domainId !== null) await setNextCheck(db, domainId, 0);
    return problem;
  }
  const isWithinLimits = await queries.reserveOrder(db, registeredDomain(host), isSite);
  return isWithinLimits ? null : "order-limit";
}

async function reportEnd(
  { db }: Round,
  { domainId, issuedAt, notAfter }: queries.DueCertificate,
  problem: DomainProblem,
): Promise<void> {
  const now = Date.now();
  if (domainId === null || issuedAt === null || notAfter === null) return;
  if (isEnding({ startMs: issuedAt, endMs: notAfter }, now))
    await reportProblem(db, domainId, { problem, since: now, offAt: notAfter });
}
