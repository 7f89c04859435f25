import { actAsJob } from "@tapthru/core/platform/actor";
import type { DomainProblem } from "@tapthru/proto/rules/domains";
import { DOMAIN_GRACE_MS } from "@tapthru/proto/rules/limits";
import { accountOrNull } from "../../acme/account.ts";
import type { App, OwnDomains } from "../../app.ts";
import { dueKind } from "../../due.ts";
import { releaseDomain } from "../move-links-of-removed-domains.ts";
import { type DnsFacts, decide, dnsProblem, needsProof } from "./decide-check.ts";
import * as queries from "./due-domains.ts";
import { arrivesByHttp, hasValidCertificate } from "./probe.ts";
import { reportProblem } from "./report-problem.ts";

const OUTAGE_DELAY_MS = 60_000;
/** Gateways copy a new certificate within two seconds. */
const COPIED_AFTER_MS = 4_000;

type DomainChecks = Pick<OwnDomains, "dns" | "siteHost" | "findAccount" | "probe">;
type CheckApp = Pick<App, "db" | "logger"> & { domains: DomainChecks | null };
type Round = Pick<App, "db" | "logger"> & DomainChecks & SiteFacts;

export const checkDomains = dueKind({
  everyMs: 2_000,
  atOnce: 20,
  async claim({ domains, ...app }: CheckApp, due) {
    if (domains === null) return [];
    const claimed = await queries.claimDueDomains(app.db, due);
    // An account at the certificate authority is created for the first domain, not before.
    const facts = claimed.length === 0 ? null : await factsOfSite(domains);
    // Without facts our own name servers do not respond, so the state of every domain is unknown.
    return facts === null ? [] : claimed.map((domain) => ({ domain, round: { ...app, ...domains, ...facts } }));
  },
  keyOf: ({ domain }) => domain.id,
  work: (_app, { round, domain }, { kind, signal }) => actAsJob(kind, () => checkDomain(round, domain, signal)),
});

interface SiteFacts {
  site: DnsFacts["site"];
  /** Null without an account at the certificate authority. */
  thumbprint: string | null;
  isSiteReachable(): Promise<boolean>;
}

async function factsOfSite({ dns, siteHost, findAccount, probe }: DomainChecks): Promise<SiteFacts | null> {
  const [records, account] = await Promise.all([dns.records(siteHost), accountOrNull(findAccount)]);
  const thumbprint = account?.thumbprint ?? null;
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

async function checkDomain(round: Round, domain: queries.DueDomain, signal: AbortSignal): Promise<void> {
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
  if (decision.action === "verify") {
    if (isContested) {
      await queries.takeOver(db, domain);
      await releaseDomain(db, host, domain.userId, signal);
    }
    const isVerified = await queries.verifyDomain(db, domain, seen);
    if (isVerified) logger.info({ event: "domain_changed", host, problem: null }, "a domain was verified");
    return;
  }
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
    await reportProblem(db, id, { problem, since, offAt: since + DOMAIN_GRACE_MS });
  }
  if (isOff || decision.report)
    logger.info({ event: "domain_changed", host, problem, isOff }, "a domain stopped working");
}

async function findProblem(
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
