import { milliseconds } from "@tapthru/core/platform/postgres/values";
import type { LinkFilter } from "@tapthru/proto/links";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { EXPIRING_SOON_MS } from "@tapthru/proto/rules/limits";
import { UNHEALTHY_STATES } from "@tapthru/proto/rules/link-health";
import { type FragmentSqlToken, type ListSqlToken, sql } from "slonik";

export interface LinkConditions {
  /** Matches nickname, title, address, code or the name of a label, case-insensitively. */
  search?: string | undefined;
  /** The id of a label. */
  label?: number | undefined;
  ids?: readonly number[] | undefined;
  store?: Marketplace | undefined;
  filter?: LinkFilter | undefined;
}

/** An SQL condition on `link` and `product` for links of the user. Undefined fields match every link. */
export function matching(userId: number, { search, label, ids, store, filter }: LinkConditions): ListSqlToken {
  return sql.join(
    [
      sql.fragment`TRUE`,
      ...(search ? [containsText(userId, search)] : []),
      ...(label === undefined ? [] : [hasLabel(label)]),
      ...(ids ? [sql.fragment`link.id = ANY(${sql.array(ids, "int8")})`] : []),
      ...(store ? [sql.fragment`link.marketplace = ${store}`] : []),
      ...(filter ? [FILTERS[filter]] : []),
    ],
    sql.fragment` AND `,
  );
}

/** Postgres looks for labels once, not for each link. */
function containsText(userId: number, search: string): FragmentSqlToken {
  return sql.fragment`(
    strpos(
      lower(concat_ws(E'\\n', link.nickname, coalesce(link.title, product.title, link.page_title),
        link.original_url, link.short_code)),
      lower(${search})
    ) > 0
    OR link.id IN (
      SELECT link_id FROM link_labels JOIN labels ON labels.id = label_id
      WHERE labels.user_id = ${userId} AND strpos(lower(labels.name), lower(${search})) > 0
    )
  )`;
}

function hasLabel(label: number): FragmentSqlToken {
  return sql.fragment`EXISTS (
    SELECT FROM link_labels WHERE link_id = link.id AND label_id = ${label}
  )`;
}

/** A look-up for each link: Postgres must not read the states of all users' links. */
const isUnhealthy = sql.fragment`(
  coalesce((SELECT state FROM link_health WHERE link_id = link.id), '')
  = ANY(${sql.array([...UNHEALTHY_STATES], "text")})
)`;

const FILTERS: Record<LinkFilter, FragmentSqlToken> = {
  "no-tag": sql.fragment`link.tag IS NULL`,
  "needs-attention": sql.fragment`(
    link.taken_down_at IS NOT NULL OR link.marketplace IS NULL OR link.tag IS NULL
    OR link.expires_at < now() + ${milliseconds(EXPIRING_SOON_MS)} OR ${isUnhealthy}
  )`,
};
