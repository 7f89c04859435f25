import { forEachItem } from "@tapthru/core/platform/failed-items";
import type { Logger } from "@tapthru/core/platform/logger";
import { Counter, type Registry } from "prom-client";
import type { CommonQueryMethods } from "slonik";
import { type Mailer, SendError, sendFailure } from "../../emails/mailer.ts";
import { digestMail } from "./digest-mail.ts";
import {
  beginDigest,
  findDueRecipients,
  findUnhealthyLinks,
  postponeDigest,
  type Recipient,
  storeSentDigest,
} from "./queries.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const INTERVAL_MS = 7 * DAY_MS;
/** How long a link needs attention before its owner is written to: they may be changing it. */
const GRACE_MS = DAY_MS;
const BATCH = 100;
const LISTED_LINKS = 20;

export interface SendDigestsDependencies {
  db: Pick<CommonQueryMethods, "any" | "maybeOneFirst" | "query">;
  /** Null: no emails are sent. */
  mailer: Mailer | null;
  digestMetrics: DigestMetrics;
  publicBaseUrl: string;
  productName: string;
  logger: Pick<Logger, "error" | "warn">;
}

/** Sends one email after another, until none is due or the server fails. */
export async function sendDigests(
  { mailer, ...deps }: SendDigestsDependencies,
  signal: AbortSignal,
): Promise<void> {
  if (mailer === null || !(await isReachable({ ...deps, mailer }))) return;
  const loop = { ...deps, kind: "send-digests", signal };
  let after = 0;
  let mayContinue = true;
  while (mayContinue && !signal.aborted) {
    const recipients = await findDueRecipients(deps.db, {
      after,
      limit: BATCH,
      intervalMs: INTERVAL_MS,
      graceMs: GRACE_MS,
    });
    await forEachItem(
      loop,
      recipients,
      ({ userId }) => userId,
      async (recipient) => {
        mayContinue = await sendDigest({ ...deps, mailer }, recipient);
        return mayContinue;
      },
    );
    if (recipients.length < BATCH) return;
    after = recipients.at(-1)?.userId ?? after;
  }
}

/** Before the first email is begun: otherwise it would not be known whether an unreachable server accepted it. */
async function isReachable({ mailer, digestMetrics, logger }: SendDependencies): Promise<boolean> {
  try {
    await mailer.check();
    return true;
  } catch (error) {
    digestMetrics.countDigest("server-unavailable");
    logger.warn(
      { event: "mail_server_unavailable", ...SendError.parse(error) },
      "the mail server cannot be used",
    );
    return false;
  }
}

interface SendDependencies extends SendDigestsDependencies {
  mailer: Mailer;
}

/** @returns whether emails to others may be sent now */
async function sendDigest(deps: SendDependencies, recipient: Recipient): Promise<boolean> {
  const { db, mailer, digestMetrics } = deps;
  const { userId, email } = recipient;
  const links = await findUnhealthyLinks(db, userId, LISTED_LINKS);
  if (links.length === 0) return true;
  const token = await beginDigest(db, userId, INTERVAL_MS);
  if (token === null) return true;
  const mail = digestMail(deps, links, token);
  try {
    await mailer.send(email, mail);
  } catch (error) {
    return handleFailure(deps, userId, SendError.parse(error));
  }
  digestMetrics.countDigest("sent");
  await storeSentDigest(db, userId);
  return true;
}

async function handleFailure(
  { db, digestMetrics, logger }: SendDependencies,
  userId: number,
  error: SendError,
): Promise<boolean> {
  const { result, isOfRecipient } = sendFailure(error);
  digestMetrics.countDigest(result);
  logger.warn(
    { event: "digest_not_sent", userId, result, ...error },
    "a weekly email was not sent",
  );
  if (result === "postponed") await postponeDigest(db, userId);
  return isOfRecipient;
}

const RESULTS = ["sent", "postponed", "failed", "server-unavailable"] as const;

export interface DigestMetrics {
  countDigest(result: (typeof RESULTS)[number]): void;
}

export function createDigestMetrics(registry: Registry): DigestMetrics {
  const digests = new Counter({
    name: "tapthru_digests_total",
    help: "Weekly emails by result; postponed: refused for now; failed: refused for good, or the connection broke; server-unavailable: rounds in which none was begun",
    labelNames: ["result"],
    registers: [registry],
  });
  for (const result of RESULTS) digests.inc({ result }, 0);
  return { countDigest: (result) => digests.inc({ result }) };
}
