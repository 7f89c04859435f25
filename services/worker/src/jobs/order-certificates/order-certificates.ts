import { X509Certificate } from "node:crypto";
import type { DomainProblem } from "@tapthru/proto/rules/domains";
import { accountOrNull } from "../../acme/account.ts";
import { AuthorityError } from "../../acme/authority.ts";
import type { App, OwnDomains } from "../../app.ts";
import { dueKind } from "../../due.ts";
import { registeredDomain } from "../check-domains/decide-check.ts";
import { arrivesByHttp } from "../check-domains/probe.ts";
import { orderDelay, renewalTime, SITE_DELAY_MS } from "./order-rules.ts";
import * as queries from "./orders.ts";

const CHECKED_AFTER_MS = 5_000;

type OrderedDomains = Pick<
  OwnDomains,
  "siteHost" | "siteNeedsCertificate" | "authority" | "findAccount" | "certificateKeys" | "probe"
>;
type OrderApp = Pick<App, "db" | "logger" | "countOrder"> & { domains: OrderedDomains | null };

/** Adds the site's own host to the hosts that need a certificate, and removes those of hosts without a user. */
export const updateHosts = dueKind<OrderApp, string>({
  everyMs: 15_000,
  claim: async ({ domains }) => (domains === null ? [] : [domains.siteHost]),
  keyOf: (host) => host,
  work: async ({ db, domains }, host) => queries.updateHosts(db, domains?.siteNeedsCertificate ? host : null),
});

export const orderCertificates = dueKind({
  everyMs: 2_000,
  atOnce: 4,
  async claim({ domains, ...app }: OrderApp, due) {
    if (domains === null) return [];
    const claimed = await queries.claimOrders(app.db, due);
    // While the authority refuses an account, what was claimed waits for its lease.
    const account = claimed.length === 0 ? null : await accountOrNull(domains.findAccount);
    return account === null ? [] : claimed.map((due) => ({ due, round: { ...app, ...domains, account } }));
  },
  keyOf: ({ due }) => due.host,
  async work(_app, { due, round }) {
    const { db, authority, account, certificateKeys, countOrder, logger } = round;
    const { host, isRenewal, failedOrders } = due;
    const obstacle = await findObstacle(round, due);
    if (obstacle !== null) {
      countOrder("not-sent");
      const delayMs = isRenewal || obstacle === "order-limit" ? SITE_DELAY_MS.renewal : SITE_DELAY_MS.first;
      return queries.postponeOrder(db, host, { problem: obstacle, delayMs, isFailure: false });
    }
    try {
      const { chain, key } = await authority.order(account, host);
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
      const delayMs = orderDelay(problem, failedOrders + 1, isRenewal);
      await queries.postponeOrder(db, host, { problem, delayMs, isFailure: true });
      countOrder(problem);
      logger.warn({ event: "certificate_order_failed", host, problem, reason: message }, "an order failed");
    }
  },
});

/** Why no order is sent: the site's host does not lead here now, or the limits are used up. Domains are checked by `checkDomains`. */
async function findObstacle(
  { db, probe, account }: Pick<App, "db"> & Pick<OwnDomains, "probe"> & { account: { thumbprint: string } },
  { host, isSite }: queries.DueCertificate,
): Promise<DomainProblem | null> {
  if (isSite && !(await arrivesByHttp(probe, host, account.thumbprint))) return "http-unreachable";
  return (await queries.reserveOrder(db, registeredDomain(host), isSite)) ? null : "order-limit";
}
