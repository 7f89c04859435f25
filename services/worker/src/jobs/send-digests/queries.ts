import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { UNHEALTHY_STATES } from "@tapthru/proto/rules/link-health";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const Nothing = z.object({});

const Recipient = z.object({ userId: z.int(), email: z.string() });
export type Recipient = z.infer<typeof Recipient>;

/** As in the condition of the index `link_health_unhealthy_idx`. */
const isUnhealthy = sql.fragment`health.state NOT IN ('ok', 'unknown')`;
const isLive = sql.fragment`
  link.taken_down_at IS NULL AND (link.expires_at IS NULL OR link.expires_at > now())
`;

interface DueLimits {
  /** Users with a higher id. */
  after: number;
  limit: number;
  intervalMs: number;
  graceMs: number;
}

/** Users to whom an email is due, by id. */
export function findDueRecipients(
  db: Pick<CommonQueryMethods, "any">,
  { after, limit, intervalMs, graceMs }: DueLimits,
): Promise<readonly Recipient[]> {
  return db.any(sql.type(Recipient)`
    SELECT user_id AS "userId", email FROM due_digests(
      ${after}, ${limit}, now() - ${milliseconds(intervalMs)}, now() - ${milliseconds(graceMs)}
    )
  `);
}

const UnhealthyLink = z.object({
  shortCode: z.string(),
  nickname: z.nullable(z.string()),
  /** The owner's, else that of the page. */
  title: z.nullable(z.string()),
  originalUrl: z.string(),
  state: z.enum(UNHEALTHY_STATES),
  /** How many links of the user need attention. */
  total: z.int(),
});
export type UnhealthyLink = z.infer<typeof UnhealthyLink>;

/** The links of a user that need attention, the latest change of state first. */
export function findUnhealthyLinks(
  db: Pick<CommonQueryMethods, "any">,
  userId: number,
  limit: number,
): Promise<readonly UnhealthyLink[]> {
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
export function beginDigest(
  db: Pick<CommonQueryMethods, "maybeOneFirst">,
  userId: number,
  intervalMs: number,
): Promise<string | null> {
  return db.maybeOneFirst(sql.type(z.object({ token: z.string() }))`
    INSERT INTO digests (user_id, begun_at) VALUES (${userId}, now())
    ON CONFLICT (user_id) DO UPDATE SET begun_at = now()
    WHERE digests.unsubscribed_at IS NULL
      AND (digests.begun_at IS NULL OR digests.begun_at <= now() - ${milliseconds(intervalMs)})
    RETURNING unsubscribe_token AS token
  `);
}

export async function storeSentDigest(
  db: Pick<CommonQueryMethods, "query">,
  userId: number,
): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE digests SET sent_at = now() WHERE user_id = ${userId}
  `);
}

/** The server refused the email: it is due again. */
export async function postponeDigest(
  db: Pick<CommonQueryMethods, "query">,
  userId: number,
): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE digests SET begun_at = NULL WHERE user_id = ${userId}
  `);
}
