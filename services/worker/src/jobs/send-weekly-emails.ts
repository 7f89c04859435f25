import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { displayName } from "@tapthru/proto/rules/display-name";
import { healthReasons, UNHEALTHY_STATES } from "@tapthru/proto/rules/link-health";
import { nameInEmail } from "@tapthru/proto/rules/names";
import { accountPath, paths } from "@tapthru/proto/rules/paths";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { unsubscribeUrl } from "@tapthru/proto/unsubscribe";
import { sql } from "slonik";
import * as z from "zod/mini";
import { type Notice, type NoticeApp, noticeRounds } from "../emails/send-notices.ts";

const BATCH = 1_000;
/** The number of newest links that are read, so that no statement reads all links of a user with very many. */
const COUNTED_LINKS = 200;
const LISTED_LINKS = 20;

/** Sends each user with links that need attention an email, at most one in seven days. */
export const sendWeeklyEmails = noticeRounds("send-weekly-emails", 60 * 60_000, weeklyEmails);

async function weeklyEmails(app: NoticeApp): Promise<Notice[]> {
  const { db, publicBaseUrl, productName } = app;
  return (await findRecipients(db)).map(({ userId, email, token }) => {
    const stopUrl = unsubscribeUrl(publicBaseUrl, token);
    const why = `You get this email at most once a week, because you have an account at ${productName}.`;
    return {
      key: userId,
      to: email,
      stopUrl,
      async write() {
        const news = await newsOfLinks(app, userId);
        return news && { ...news, text: `${news.text}\n\n--\n${why}\nStop these emails: ${stopUrl}` };
      },
      setDue: (isDue) => setDue(db, userId, isDue),
      endForDeadAddress: () => setRefused(db, userId),
      logged: { event: "weekly_email_not_sent", userId },
    };
  });
}

async function newsOfLinks({ db, publicBaseUrl }: NoticeApp, userId: number) {
  const links = await findUnhealthyLinks(db, userId);
  if (links[0] === undefined) return null;
  const { total } = links[0];
  const pageOf = (path: string) => publicBaseUrl + accountPath(userId, path);
  const count = total < COUNTED_LINKS ? total : `At least ${total}`;
  const subject = `${count} of your links ${total === 1 ? "needs" : "need"} attention`;
  const entries = links.map((link) => {
    const name = nameInEmail(displayName(link, new URL(publicBaseUrl).host))
      .replace(/\s+/g, " ")
      .trim();
    const page = pageOf(paths.link(link.shortCode));
    return [name, shortUrl(publicBaseUrl, link.shortCode), healthReasons[link.state], `Change it: ${page}`].join("\n");
  });
  const more = `More of them: ${pageOf(paths.dashboard)}?show=needs-attention`;
  return { subject, text: [`${subject}:`, ...entries, ...(total > links.length ? [more] : [])].join("\n\n") };
}

const Recipient = z.object({ userId: z.int(), email: z.string(), token: z.string() });

function findRecipients(db: Db<"any">) {
  return db.any(sql.type(Recipient)`
    SELECT user_id AS "userId", email, token FROM due_weekly_emails(${BATCH})
  `);
}

const UnhealthyLink = z.object({
  shortCode: z.string(),
  nickname: z.nullable(z.string()),
  title: z.nullable(z.string()),
  originalUrl: z.string(),
  state: z.enum(UNHEALTHY_STATES),
  total: z.int(),
});

/** The latest change of state first. The condition of a state is that of the index `link_health_unhealthy_idx`. */
function findUnhealthyLinks(db: Db<"any">, userId: number) {
  return db.any(sql.type(UnhealthyLink)`
    SELECT short_code AS "shortCode", nickname, coalesce(link.title, product.title, page_title) AS title,
      web_url AS "originalUrl", state, count(*) OVER ()::int AS total
    FROM (
      SELECT link.*, state, since FROM links AS link JOIN link_health ON link_id = link.id
      WHERE link.user_id = ${userId} AND state NOT IN ('ok', 'unknown')
        AND taken_down_at IS NULL AND (expires_at IS NULL OR expires_at > now())
      ORDER BY link.id DESC LIMIT ${COUNTED_LINKS}
    ) AS link
    LEFT JOIN products AS product USING (canonical_url)
    ORDER BY since DESC, id DESC LIMIT ${LISTED_LINKS}
  `);
}

/** One that is due again waits behind those that were not tried since. */
async function setDue(db: Db<"query">, userId: number, isDue: boolean): Promise<boolean> {
  const { rowCount } = await db.query(sql.type(z.object({}))`
    UPDATE users SET weekly_email_at = now() - CASE WHEN ${isDue} THEN interval '7 days' ELSE interval '0' END
    WHERE id = ${userId} AND weekly_email = 'on'
      AND (${isDue} OR weekly_email_at IS NULL OR weekly_email_at <= now() - interval '7 days')
  `);
  return rowCount === 1;
}

async function setRefused(db: Db<"query">, userId: number): Promise<void> {
  await db.query(sql.type(z.object({}))`UPDATE users SET weekly_email = 'refused' WHERE id = ${userId}`);
}
