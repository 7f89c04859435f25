import { forEachItem } from "@tapthru/core/platform/failed-items";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App, Stoppable } from "../../app.ts";
import { fallingChannelLine } from "../../emails/falling-channel.ts";
import { type Mailer, SendError, sendFailure } from "../../emails/mailer.ts";
import { digestMail, UnhealthyLink } from "./digest-mail.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const INTERVAL_MS = 7 * DAY_MS;
/** How long a link needs attention before its owner is written to: they may be changing it. */
const GRACE_MS = DAY_MS;
const BATCH = 100;
const LISTED_LINKS = 20;

interface DigestApp extends Pick<App, "db" | "logger" | "publicBaseUrl" | "productName"> {
  mailer: Mailer;
}

/** Sends one email after another, until none is due or the server fails. */
export async function sendDigests(
  { mailer, ...app }: Omit<DigestApp, "mailer"> & Pick<App, "mailer">,
  _payload: object,
  { signal }: Stoppable,
): Promise<void> {
  if (mailer === null || !(await isReachable({ ...app, mailer }))) return;
  const loop = { ...app, kind: "send-digests", signal };
  let after = 0;
  let mayContinue = true;
  while (mayContinue && !signal.aborted) {
    const recipients = await findDueRecipients(app.db, {
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
        mayContinue = await sendDigest({ ...app, mailer }, recipient);
        return mayContinue;
      },
    );
    if (recipients.length < BATCH) return;
    after = recipients.at(-1)?.userId ?? after;
  }
}

/** Before the first email is started: otherwise it would not be known whether an unreachable server accepted it. */
async function isReachable({ mailer, logger }: DigestApp): Promise<boolean> {
  try {
    await mailer.check("digest");
    return true;
  } catch (error) {
    logger.warn({ event: "mail_server_unavailable", ...SendError.parse(error) }, "the mail server cannot be used");
    return false;
  }
}

/** @returns whether emails to others may be sent now */
async function sendDigest(app: DigestApp, recipient: Recipient): Promise<boolean> {
  const { db, mailer } = app;
  const { userId, email } = recipient;
  const links = await findUnhealthyLinks(db, userId, LISTED_LINKS);
  const channelLine = await fallingChannelLine(db, userId);
  if (links.length === 0 && channelLine === null) return true;
  const token = await beginDigest(db, userId, INTERVAL_MS);
  if (token === null) return true;
  const mail = digestMail(app, links, { userId, token }, channelLine);
  try {
    await mailer.send(email, mail);
  } catch (error) {
    return handleFailure(app, userId, SendError.parse(error));
  }
  await storeSentDigest(db, userId);
  return true;
}

async function handleFailure({ db, logger }: DigestApp, userId: number, error: SendError): Promise<boolean> {
  const { result, isOfRecipient, isDeadAddress } = sendFailure(error);
  logger.warn({ event: "digest_not_sent", userId, result, ...error }, "a weekly email was not sent");
  if (result === "postponed") await postponeDigest(db, userId);
  if (isDeadAddress) await endDigests(db, userId);
  return isOfRecipient;
}

const Nothing = z.object({});

const Recipient = z.object({ userId: z.int(), email: z.string() });
type Recipient = z.infer<typeof Recipient>;

/** As in the condition of the index `link_health_unhealthy_idx`. */
const isUnhealthy = sql.fragment`health.state NOT IN ('ok', 'unknown')`;
const isLive = sql.fragment`
  link.taken_down_at IS NULL AND (link.expires_at IS NULL OR link.expires_at > now())
`;

interface DueLimits {
  after: number;
  limit: number;
  intervalMs: number;
  graceMs: number;
}

function findDueRecipients(db: Db<"any">, { after, limit, intervalMs, graceMs }: DueLimits) {
  return db.any(sql.type(Recipient)`
    SELECT user_id AS "userId", email FROM due_digests(
      ${after}, ${limit}, now() - ${milliseconds(intervalMs)}, now() - ${milliseconds(graceMs)}
    )
  `);
}

/** The links of a user that need attention, the latest change of state first. */
function findUnhealthyLinks(db: Db<"any">, userId: number, limit: number) {
  return db.any(sql.type(UnhealthyLink)`
    SELECT link.short_code AS "shortCode", link.nickname, coalesce(link.title, product.title, link.page_title) AS title,
      link.web_url AS "originalUrl", health.state, count(*) OVER ()::int AS total
    FROM links link JOIN link_health health ON health.link_id = link.id
    LEFT JOIN products product USING (canonical_url)
    WHERE link.user_id = ${userId} AND ${isUnhealthy} AND ${isLive}
    ORDER BY health.since DESC, link.id DESC LIMIT ${limit}
  `);
}

/**
 * Notes that an email is being sent to the user, before it is.
 * @returns the token of the address that ends the emails; null if none is due any more
 */
function beginDigest(db: Db<"maybeOneFirst">, userId: number, intervalMs: number) {
  return db.maybeOneFirst(sql.type(z.object({ token: z.string() }))`
    INSERT INTO digests (user_id, begun_at) VALUES (${userId}, now())
    ON CONFLICT (user_id) DO UPDATE SET begun_at = now()
    WHERE digests.unsubscribed_at IS NULL
      AND (digests.begun_at IS NULL OR digests.begun_at <= now() - ${milliseconds(intervalMs)})
    RETURNING unsubscribe_token AS token
  `);
}

async function storeSentDigest(db: Db<"query">, userId: number): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE digests SET sent_at = now() WHERE user_id = ${userId}
  `);
}

/** The server refused the email: it is due again. */
async function postponeDigest(db: Db<"query">, userId: number): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE digests SET begun_at = NULL WHERE user_id = ${userId}
  `);
}

/** Until the user switches them on again. */
async function endDigests(db: Db<"query">, userId: number): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE digests SET unsubscribed_at = now(), refused_at = now() WHERE user_id = ${userId}
  `);
}
