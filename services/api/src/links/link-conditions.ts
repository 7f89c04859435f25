import type { LinkFilter } from "@tapthru/proto/http/links";
import { storeHosts } from "@tapthru/proto/rules/amazon/hosts";
import {
  isMarketplace,
  MARKETPLACES,
  type Marketplace,
} from "@tapthru/proto/rules/amazon/marketplaces";
import { EXPIRING_SOON_MS } from "@tapthru/proto/rules/limits";
import { UNHEALTHY_STATES } from "@tapthru/proto/rules/link-health";
import { milliseconds } from "@tapthru/runtime/postgres/values";
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
export function matching(
  userId: number,
  { search, label, ids, store, filter }: LinkConditions,
): ListSqlToken {
  return sql.join(
    [
      sql.fragment`TRUE`,
      ...(search ? [containsText(userId, search)] : []),
      ...(label === undefined ? [] : [hasLabel(label)]),
      ...(ids ? [sql.fragment`link.id = ANY(${sql.array(ids, "int8")})`] : []),
      ...(store ? [leadsToStore(store)] : []),
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

/** The host of the destination, whose form the column's constraint ensures. */
export const hostOfLink: FragmentSqlToken = sql.fragment`
  split_part(split_part(link.web_url, '/', 3), '?', 1)
`;

function leadsToStore(store: Marketplace): FragmentSqlToken {
  return sql.fragment`${hostOfLink} = ANY(${sql.array(storeHosts(store), "text")})`;
}

const ALL_HOSTS = Object.keys(MARKETPLACES).filter(isMarketplace).flatMap(storeHosts);

/** Proto's parseAmazonUrl refuses a few more, such as sign-in pages; only the reply marks those as invalid. */
const isOutsideStores = sql.fragment`(
  ${hostOfLink} <> ALL(${sql.array(ALL_HOSTS, "text")})
  OR coalesce(lower(substring(link.original_url FROM '(?i)^https?://([^/?#:]*)')), '')
    <> ALL(${sql.array(ALL_HOSTS, "text")})
  OR link.deep_link !~ '^https?://[^/?#@]+/redirect[?]'
)`;

/** A segment of an old address that is not its tag: a reference or a session id. */
const NO_TAG = "(?:ref=[^/]*|[0-9]{3}-[0-9]{7}-[0-9]{7})";
const AFTER_OLD_ASIN = `/(?:exec/obidos/tg/detail/-|exec/obidos/asin|o/asin)/[a-z0-9]{10}(?:/+${NO_TAG})*`;
const TAG_IN_PATH = `${AFTER_OLD_ASIN}/+(?!${NO_TAG}(?:/|$))[\\w-]{1,64}(?:/+${NO_TAG})*/*$`;

/** Whether parseAmazonUrl of proto would find no `tag`, neither in the query nor in the path of an old address. */
const hasNoTag = sql.fragment`(
  coalesce(substring(substring(link.web_url FROM '[?](.*)') FROM '(?:^|&)tag=([^&]*)'), '') = ''
  AND split_part(link.web_url, '?', 1) !~* ${TAG_IN_PATH}
)`;

/** A look-up for each link: Postgres must not read the states of all users' links. */
const isUnhealthy = sql.fragment`(
  coalesce((SELECT state FROM link_health WHERE link_id = link.id), '')
  = ANY(${sql.array([...UNHEALTHY_STATES], "text")})
)`;

const FILTERS: Record<LinkFilter, FragmentSqlToken> = {
  "no-tag": hasNoTag,
  "needs-attention": sql.fragment`(
    link.taken_down_at IS NOT NULL OR ${isOutsideStores} OR ${hasNoTag}
    OR link.expires_at < now() + ${milliseconds(EXPIRING_SOON_MS)} OR ${isUnhealthy}
  )`,
};
