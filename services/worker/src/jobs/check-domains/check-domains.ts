import { actAsJob } from "@tapthru/core/platform/actor";
import { attemptItem } from "@tapthru/core/platform/failed-items";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import { DOMAIN_PROBLEMS, type DomainProblem, domainNoticeReasons } from "@tapthru/proto/rules/domains";
import { DOMAIN_GRACE_MS } from "@tapthru/proto/rules/limits";
import { accountPath, paths } from "@tapthru/proto/rules/paths";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App, DomainChecks, Stoppable } from "../../app.ts";
import { type Notice, type NoticeApp, sendNotices } from "../../emails/send-notices.ts";
import { releaseDomain } from "../move-links-of-removed-domains.ts";
import { findThumbprint } from "../order-certificates/acme/account.ts";
import { type DnsFacts, decide, dnsProblem, needsProof } from "./decide-check.ts";
import * as queries from "./due-domains.ts";
import { arrivesByHttp, hasValidCertificate } from "./probe.ts";

/** The email to the owner of a domain that stopped working. */
const domainNotice = (host: string, reason: string, productName: string, url: string) => ({
  subject: `Your domain ${host} has a problem`,
  text: `${reason}\n\nAs long as this is so, links on ${host} may not open. ${productName} turns the domain off after seven days; its links then open under the site's own address only. Here is what to do:\n\n${url}`,
});

const BATCH = 20;
/** In one job, so that slow name servers do not keep the emails waiting. */
const MAX_BATCHES = 10;
export const LEASE_MS = 60_000;
const SOON_MS = 1_000;
const OUTAGE_DELAY_MS = 60_000;
/** Gateways copy a new certificate within two seconds. */
const COPIED_AFTER_MS = 4_000;

type CheckDomainsApp = Pick<App, "db" | "logger" | "domainChecks" | "jobs"> & NoticeApp;

/** Checks the domains that are due, and then sends what is due to their owners. */
export function checkDomains(
  { domainChecks, ...app }: CheckDomainsApp,
  _payload: object,
  { signal }: Stoppable,
  release = releaseDomain,
): Promise<void> {
  return actAsJob("check-domains", async () => {
    if (domainChecks === null) return;
    await checkDue({ ...app, ...domainChecks, release }, signal);
    await sendDomainNotices(app, signal);
  });
}

interface CheckApp extends Pick<App, "db" | "logger" | "jobs">, DomainChecks {
  release: typeof releaseDomain;
}

async function checkDue(app: CheckApp, signal: AbortSignal): Promise<void> {
  const loop = { ...app, kind: queries.DOMAIN_CHECKS, signal };
  const claim = () => (signal.aborted ? [] : queries.claimDueDomains(app.db, { limit: BATCH, leaseMs: LEASE_MS }));
  let due = await claim();
  // An account at the certificate authority is created for the first domain, not before.
  const facts = due.length === 0 ? null : await factsOfSite(app);
  // Without facts our own name servers do not respond, and nothing can be said of any domain.
  for (let batch = 1; facts !== null && due.length > 0; batch++) {
    const round = { ...app, ...facts };
    await Promise.all(due.map((domain) => attemptItem(loop, domain.id, () => checkDomain(round, domain))));
    due = due.length < BATCH || batch === MAX_BATCHES ? [] : await claim();
  }
}

type Round = CheckApp & SiteFacts;

interface SiteFacts {
  site: DnsFacts["site"];
  /** Null: there is no account at the certificate authority yet. */
  thumbprint: string | null;
  isSiteReachable(): Promise<boolean>;
}

export async function factsOfSite({ dns, siteHost, findAccount, probe }: DomainChecks): Promise<SiteFacts | null> {
  const [records, thumbprint] = await Promise.all([dns.records(siteHost), findThumbprint(findAccount)]);
  if (records === null || records.length === 0) return null;
  let isReachable: Promise<boolean> | null = null;
  return {
    site: { host: siteHost, addresses: new Set(records.map(({ value }) => value)) },
    thumbprint,
    isSiteReachable: () => {
      isReachable ??= arrivesByHttp(probe, siteHost, thumbprint ?? "");
      return isReachable;
    },
  };
}

async function checkDomain(round: Round, domain: queries.DueDomain): Promise<void> {
  const { db, dns, logger, site } = round;
  const { id, host, proof, verifiedAt, offAt, failingSince } = domain;
  const isWorking = verifiedAt !== null && offAt === null;
  const records = await dns.records(host);
  const isContested = !isWorking && (await queries.isContested(db, domain));
  const isProven =
    isWorking || !needsProof({ host, isContested }, { records, site }) || (await dns.proofs(host)).includes(proof);
  const problem = await findProblem(round, host, { records, isProven });
  if (problem === "http-unreachable" && isWorking) {
    // An outage of this site is no failure of the domain.
    if (!(await round.isSiteReachable())) {
      const state = { problem, failingSince, isOff: false, delayMs: OUTAGE_DELAY_MS };
      return queries.storeCheck(db, id, { ...state, seen: records ?? [] });
    }
  }
  const decision = decide(domain, problem, Date.now());
  const seen = records ?? [];
  if (decision.action === "verify") return verify(round, { ...domain, isContested }, seen);
  if (decision.action === "delete") return queries.deleteUnverified(db, id);
  const isOff = decision.action === "turn-off";
  await queries.storeCheck(db, id, {
    problem: problem ?? (await httpsProblem(round, domain)),
    seen,
    failingSince: isOff ? null : decision.failingSince,
    isOff,
    delayMs: decision.delayMs,
  });
  const { failingSince: since } = decision;
  if (decision.report && problem !== null && since !== null) {
    await queries.reportProblem(db, id, { problem, since, offAt: since + DOMAIN_GRACE_MS });
  }
  if (isOff || decision.report)
    logger.info({ event: "domain_changed", host, problem, isOff }, "a domain stopped working");
}

/** What keeps visits, or the certificate authority, from arriving here. */
export async function findProblem(
  { probe, site, thumbprint }: Pick<Round, "probe" | "site" | "thumbprint">,
  host: string,
  { records, isProven }: { records: DnsFacts["records"]; isProven: boolean },
): Promise<DomainProblem | null> {
  const problem = dnsProblem({ records, site });
  if (problem !== null) return problem;
  if (!isProven) return "proof-missing";
  if (thumbprint === null) return "authority-unavailable";
  return (await arrivesByHttp(probe, host, thumbprint)) ? null : "http-unreachable";
}

/** Its certificate is checked once gateways have it. */
async function httpsProblem(
  { probe }: Round,
  { host, issuedAt, verifiedAt }: queries.DueDomain,
): Promise<DomainProblem | null> {
  if (verifiedAt === null || issuedAt === null || Date.now() - issuedAt < COPIED_AFTER_MS) return null;
  return (await hasValidCertificate(probe, host)) ? null : "https-unreachable";
}

async function verify(
  { db, jobs, logger, release }: Round,
  domain: queries.DueDomain & { isContested: boolean },
  seen: readonly object[],
): Promise<void> {
  const { host, userId } = domain;
  if (domain.isContested) {
    await queries.takeOver(db, domain);
    if (await release(db, host, userId)) return queries.setNextCheck(db, domain.id, SOON_MS);
  }
  if (!(await queries.verifyDomain(db, domain, seen))) return;
  logger.info({ event: "domain_changed", host, problem: null }, "a domain was verified");
  await bestEffort(jobs.add("order-certificates", {}, { requestId: null }));
}

const EMAILS = 50;

function sendDomainNotices(app: NoticeApp, signal: AbortSignal): Promise<void> {
  return sendNotices(app, "domain-notices", () => domainNotices(app), signal);
}

async function domainNotices({ db, productName, publicBaseUrl }: NoticeApp): Promise<Notice[]> {
  return (await findDueNotices(db, EMAILS)).map(({ id, userId, host, email, problem }) => ({
    key: id,
    to: email,
    write: () => domainNotice(host, reasonOf(problem), productName, publicBaseUrl + accountPath(userId, paths.domains)),
    setDue: (isDue) => setNoticeDue(db, id, isDue),
    logged: { event: "domain_notice_not_sent", host },
  }));
}

function reasonOf(problem: string): string {
  const known = DOMAIN_PROBLEMS.find((name): name is DomainProblem => name === problem);
  return domainNoticeReasons[known ?? "order-refused"];
}

const DueNotice = z.object({
  id: z.int(),
  userId: z.int(),
  host: z.string(),
  email: z.string(),
  problem: z.string(),
});

/** Emails that are due, for users whose address is confirmed. */
function findDueNotices(db: Db<"any">, limit: number) {
  return db.any(sql.type(DueNotice)`
    SELECT id, user_id AS "userId", notice.host, email, notice.problem
    FROM due_domain_notices(${limit}) AS notice JOIN domains USING (id) ORDER BY id
  `);
}

/** @returns false if it was changed meanwhile */
async function setNoticeDue(db: Db<"query">, id: number, isDue: boolean): Promise<boolean> {
  const { rowCount } = await db.query(sql.type(z.object({}))`
    UPDATE domains SET notice_due = ${isDue} WHERE id = ${id} AND notice_due <> ${isDue}
  `);
  return rowCount === 1;
}
