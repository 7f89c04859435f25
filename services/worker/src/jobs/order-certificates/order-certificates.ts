import { X509Certificate } from "node:crypto";
import { attemptItem, forEachItem } from "@tapthru/core/platform/failed-items";
import type { DomainProblem } from "@tapthru/proto/rules/domains";
import type { App, CertificateOrders, DomainChecks, Stoppable } from "../../app.ts";
import { factsOfSite, findProblem } from "../check-domains/check-domains.ts";
import { registeredDomain } from "../check-domains/decide-check.ts";
import { reportProblem, setNextCheck } from "../check-domains/due-domains.ts";
import { arrivesByHttp } from "../check-domains/probe.ts";
import { type Authority, AuthorityError, ORDER_TIMEOUT_MS } from "./acme/authority.ts";
import { isEnding, LIMITED_MS, orderDelay, renewalTime, suggestedTime } from "./order-rules.ts";
import * as queries from "./orders.ts";

/** Orders in progress at once in one worker. */
const PARALLEL_ORDERS = 4;
/** An order, and the checks before it. */
export const LEASE_MS = ORDER_TIMEOUT_MS + 2 * 60_000;
/** A host that does not lead here: its next check is due sooner. */
const NOT_HERE_DELAY_MS = { first: 10_000, renewal: 10 * 60_000 };
const CHECKED_AFTER_MS = 5_000;
const RENEWAL_CHECKS = 20;
export const RENEWAL_CHECK_INTERVAL_MS = 6 * 60 * 60_000;
/** Two requests for each. */
export const RENEWAL_LEASE_MS = 10 * 60_000;

type OrderApp = Pick<App, "db" | "logger" | "countOrder">;

export async function orderCertificates(
  { domainChecks, certificateOrders, ...app }: OrderApp & Pick<App, "domainChecks" | "certificateOrders">,
  _payload: object,
  { signal }: Stoppable,
): Promise<void> {
  if (domainChecks === null || certificateOrders === null) return;
  const { includesSite, openAuthority } = certificateOrders;
  await queries.updateHosts(app.db, includesSite ? domainChecks.siteHost : null);
  if (!(await queries.isAnyDue(app.db, RENEWAL_CHECK_INTERVAL_MS))) return;
  const facts = await factsOfSite(domainChecks);
  if (facts === null || facts.thumbprint === null) return;
  const authority = await openAuthority(await domainChecks.findAccount());
  const round = { ...app, ...domainChecks, ...certificateOrders, ...facts, authority };
  await checkRenewals(round, signal);
  await Promise.all(Array.from({ length: PARALLEL_ORDERS }, () => orderWhileDue(round, signal)));
}

type Round = OrderApp &
  DomainChecks &
  CertificateOrders &
  NonNullable<Awaited<ReturnType<typeof factsOfSite>>> & { authority: Authority };

async function orderWhileDue(round: Round, signal: AbortSignal): Promise<void> {
  const loop = { ...round, kind: queries.ORDERS, signal };
  while (!signal.aborted) {
    const due = await queries.claimOrder(round.db, LEASE_MS);
    if (due === null) return;
    await attemptItem(loop, due.host, () => orderOne(round, due));
  }
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
    const sealedKey = certificateKeys.seal(key, host);
    const issued = { chain, sealedKey, notAfter: life.endMs, renewAt: renewalTime(life) };
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

/** Reports once to the owner of a domain that its certificate expires. */
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

/** Whether the authority wants some certificates to be renewed earlier, for example because it will revoke them. */
async function checkRenewals(round: Round, signal: AbortSignal): Promise<void> {
  const { db, authority } = round;
  const limits = { limit: RENEWAL_CHECKS, intervalMs: RENEWAL_CHECK_INTERVAL_MS, leaseMs: RENEWAL_LEASE_MS };
  await forEachItem(
    { ...round, kind: "check-renewals", signal },
    await queries.claimRenewalChecks(db, limits),
    ({ host }) => host,
    async (certificate) => {
      const window = await authority.renewalWindow(certificate.chain).catch(() => null);
      const at = window && suggestedTime(window, Date.now(), Math.random());
      if (!signal.aborted) await queries.storeRenewalCheck(db, certificate, at);
    },
  );
}
