import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { type EarningsGroup, type EarningsOrder, EarningsRow } from "@tapthru/proto/earnings";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { ofStores, PEOPLE, peopleOfDays, peopleOfLinks, placePeople, storePeople } from "./people.ts";
import { factorsTo, type Rates } from "./rates.ts";
import { type CoveredPart, countedSales, coveredStores, isOwn, type OwnDays } from "./reports.ts";
import { matchedSales, SUMS } from "./sales.ts";

interface Grouping {
  /** `all`: one row of all sales. */
  by: EarningsGroup | "all";
  days: OwnDays;
  /** The days whose taps can be added up by link. */
  tapDays: OwnDays;
  /** By day, or of all: the figures of this channel alone. */
  channel?: number | undefined;
  /** By link: only the rows that have these links. */
  link?: { ids: readonly number[]; asins: readonly string[] };
}

interface RowsQuery extends Grouping {
  /** What reports cover of the days. */
  covered: readonly CoveredPart[];
  sort: EarningsOrder;
  limit: number;
  /** Of the sums. */
  currency: string | null;
  rates: Rates;
}

const FigureRow = z.extend(z.omit(EarningsRow, { amazonClicks: true }), {
  links: z.nullable(z.array(z.int())),
  /** Those of its sales and people. */
  stores: z.nullable(z.array(z.string())),
  rowCount: z.int(),
});
export type FigureRow = z.infer<typeof FigureRow>;

/**
 * Finds the rows of a table in its order: largest first, unknown ones last, those in the currency of the table before others; equal ones
 * by ordered items, then by key. A sum in a currency is known if a report in this currency covers the row: it is 0 if the report
 * has no sale. Sums of several currencies are converted and rounded once, or not added up if a rate is missing.
 *
 * `part` has the sales and people of each row, `scope` the rows with their people, `covering` what reports cover of each in a currency,
 * `amount` its known sums in a currency, and `figure` those of all currencies.
 */
export function findRows(db: Db<"any">, query: RowsQuery): Promise<readonly FigureRow[]> {
  const { days, limit, currency, rates } = query;
  const { isMatched, sales, key, match = NONE, links = NO_LINKS, people, covers, name } = groupOf(query);
  const matched = matchedSales({ ...days, hasDays: query.by === "day", asins: query.link?.asins });
  return db.any(sql.type(FigureRow)`
    WITH covered AS MATERIALIZED (
      ${coveredStores(query.covered)}
    ), ${isMatched ? sql.fragment`${matched},` : sql.fragment``} sale AS MATERIALIZED (
      SELECT ${key} AS key, ${match} AS match, ${links} AS links, min(asin) AS product, marketplace, currency, ${SUMS}
      FROM ${sales} GROUP BY 1, 2, 3, marketplace, currency
    ), person AS MATERIALIZED (${people}), part AS MATERIALIZED (
      SELECT concat(match, ' ', key, ' ', links) AS id, * FROM (
        SELECT key, match, links, product, marketplace, currency, earnings, revenue, ordered, shipped, returned,
          NULL::numeric AS people, NULL::numeric AS earning, NULL::numeric AS ordering
        FROM sale
        UNION ALL
        SELECT key, match, links, NULL, marketplace, NULL, NULL, NULL, NULL, NULL, NULL, people, earning, ordering FROM person
      ) AS part
    ), scope AS MATERIALIZED (
      SELECT id, key, match, links, min(product) AS product,
        array_agg(DISTINCT marketplace) FILTER (WHERE marketplace IS NOT NULL) AS stores,
        match = 'link' AND key IN (SELECT unnest(links)::text FROM sale WHERE match = 'links') AS is_shared,
        CASE WHEN match = 'links' OR key IS NOT NULL AND match IS DISTINCT FROM 'channel' THEN coalesce(sum(people), 0) END AS people,
        sum(earning) AS earning, sum(ordering) AS ordering
      FROM part GROUP BY id, key, match, links
    ), covering AS MATERIALIZED (
      SELECT id, covered.currency, bool_or(${covers("earnings")}) AS has_earnings, bool_or(${covers("shipped")}) AS has_shipped,
        bool_or(${covers("ordered")}) AS has_ordered
      FROM scope CROSS JOIN covered GROUP BY 1, 2
    ), amount AS (
      SELECT id, currency, has_earnings, has_shipped, has_ordered, is_sold, CASE WHEN has_earnings THEN earnings END AS earnings,
        CASE WHEN has_shipped THEN revenue END AS revenue, CASE WHEN has_ordered THEN ordered END AS ordered,
        CASE WHEN has_shipped THEN shipped END AS shipped, CASE WHEN has_shipped THEN returned END AS returned, factor
      FROM covering LEFT JOIN (
        SELECT id, currency, true AS is_sold, coalesce(sum(earnings), 0) AS earnings, coalesce(sum(revenue), 0) AS revenue,
          coalesce(sum(ordered), 0) AS ordered, coalesce(sum(shipped), 0) AS shipped, coalesce(sum(returned), 0) AS returned
        FROM part WHERE currency IS NOT NULL GROUP BY 1, 2
      ) AS sum USING (id, currency) LEFT JOIN (${factorsTo(currency, rates)}) AS factor USING (currency)
    ), figure AS (
      SELECT id, bool_or(has_earnings) AS has_earnings, count(is_sold) AS sum_count,
        jsonb_agg(jsonb_build_object('currency', currency, 'earnings', earnings, 'revenue', revenue, 'ordered', ordered,
          'shipped', shipped, 'returned', returned) ORDER BY currency) FILTER (WHERE is_sold) AS sums,
        min(currency) FILTER (WHERE is_sold) AS first_currency, sum(earnings) AS earnings,
        CASE WHEN ${currency}::text IS NOT NULL AND bool_and(earnings * factor IS NOT NULL) FILTER (WHERE is_sold) IS NOT FALSE
          THEN floor(coalesce(sum(earnings * factor), 0) + 0.5)::bigint END AS converted,
        coalesce(sum(ordered), CASE WHEN count(is_sold) = 0 AND bool_or(has_ordered) THEN 0 END) AS ordered,
        coalesce(sum(shipped), CASE WHEN count(is_sold) = 0 AND bool_or(has_shipped) THEN 0 END) AS shipped,
        coalesce(sum(returned), CASE WHEN count(is_sold) = 0 AND bool_or(has_shipped) THEN 0 END) AS returned
      FROM amount GROUP BY 1
    ), result AS (
      SELECT scope.*, coalesce(sums, '[]') AS sums, ordered, shipped, returned,
        CASE WHEN converted IS NULL AND sum_count = 1 THEN first_currency ELSE ${currency}::text END AS currency,
        CASE WHEN converted IS NULL AND sum_count = 1 THEN earnings WHEN has_earnings THEN converted END AS earnings
      FROM scope LEFT JOIN figure USING (id)
    ), quotient AS (
      SELECT *, ${perPerson(query, sql.fragment`earnings`, sql.fragment`earning`)} AS per_tap,
        ${perPerson(query, sql.fragment`ordered`, sql.fragment`ordering`)} AS conversion
      FROM result
    )
    SELECT key, ${name} AS name, match, links, stores, sums, currency, earnings::bigint AS earnings, ordered::bigint AS ordered,
      shipped::bigint AS shipped, returned::bigint AS returned, people::bigint AS people, per_tap AS "earningsPerClick", conversion, "rowCount"
    FROM (
      SELECT *, count(*) OVER () AS "rowCount", row_number() OVER (ORDER BY ${orderOf(query)}) AS place FROM quotient
    ) AS row WHERE place <= ${limit} ORDER BY place
  `);
}

const NONE = sql.fragment`NULL::text`;
const NO_LINKS = sql.fragment`NULL::bigint[]`;

/** Rounded to a ten-thousandth. Unknown where the people of some days are. */
const perPerson = ({ days, tapDays }: Grouping, amount: FragmentSqlToken, people: FragmentSqlToken) => sql.fragment`
  CASE WHEN ${days.from === tapDays.from} AND is_shared IS NOT TRUE AND ${people} > 0 THEN floor(${amount}::float8 / ${people}::float8 * 10000 + 0.5) / 10000 END
`;

function orderOf({ by, sort, currency }: RowsQuery): FragmentSqlToken {
  const byKey = by === "link" ? sql.fragment`length(key), key, id` : sql.fragment`key COLLATE "C"`;
  // Amounts of different currencies say nothing about each other.
  const byAmount = (amount: FragmentSqlToken) => sql.fragment`
    ${amount} IS NULL, ${amount} IS NOT NULL AND currency IS DISTINCT FROM ${currency}::text, CASE WHEN ${amount} IS NOT NULL THEN currency END,
    ${amount} DESC
  `;
  switch (sort) {
    case "key":
      return byKey;
    case "earnings":
      return sql.fragment`${byAmount(sql.fragment`earnings`)}, coalesce(ordered, 0) DESC, ${byKey}`;
    case "earnings-per-click":
      return sql.fragment`${byAmount(sql.fragment`per_tap`)}, coalesce(ordered, 0) DESC, ${byKey}`;
    default:
      return sql.fragment`${sql.identifier([sort])} DESC NULLS LAST, coalesce(ordered, 0) DESC, ${byKey}`;
  }
}

interface Group {
  /** Whether sales must be matched with links or channels. */
  isMatched: boolean;
  /** What follows FROM. */
  sales: FragmentSqlToken;
  /** The columns of a row: null is the key of sales that belong to none. */
  key: FragmentSqlToken;
  match?: FragmentSqlToken;
  links?: FragmentSqlToken;
  /** A query of `key`, `match`, `links`, `marketplace`, and the sums of PEOPLE. */
  people: FragmentSqlToken;
  /** Whether a row of `scope` has figures of a row of `covered`, by a column of it. */
  covers(amount: "earnings" | "shipped" | "ordered"): FragmentSqlToken;
  name: FragmentSqlToken;
}

function groupOf({ by, days, tapDays, channel, link }: Grouping): Group {
  const { userId } = days;
  const covers: Group["covers"] = (amount) => sql.fragment`covered.${sql.identifier([amount])} IS NOT NULL`;
  const coversOwn: Group["covers"] = (amount) =>
    sql.fragment`${covers(amount)} AND (stores IS NULL OR covered.marketplace = ANY(stores))`;
  const asCounted = {
    isMatched: false,
    sales: countedSales(days),
    covers,
    name: NONE,
  };
  const asMatched = { ...asCounted, isMatched: true, sales: sql.fragment`matched` };
  const tapped = peopleOfLinks(userId, isOwn(tapDays));
  switch (by) {
    case "link": {
      const ids = sql.array(link?.ids ?? [], "int8");
      const ofLink =
        link && sql.fragment`link_id = ANY(ARRAY(SELECT unnest(links) FROM sale UNION SELECT unnest(${ids})))`;
      // Reports say nothing of a link that was created later.
      const isNew =
        link === undefined
          ? sql.fragment`false`
          : sql.fragment`(product IS NULL AND (SELECT (created_at AT TIME ZONE 'UTC')::date > ${days.to}::text::date FROM links WHERE id = scope.links[1]))`;
      return {
        ...asMatched,
        sales: link ? sql.fragment`matched WHERE links && ${ids}` : asMatched.sales,
        key: sql.fragment`CASE match WHEN 'link' THEN links[1]::text WHEN 'channel' THEN channel_id::text END`,
        match: sql.fragment`match`,
        links: sql.fragment`nullif(links, '{}')`,
        people: sql.fragment`
          WITH tapped AS MATERIALIZED (${ofLink ? peopleOfLinks(userId, sql.fragment`${isOwn(days)} AND ${ofLink}`) : tapped})
          SELECT link_id::text AS key, 'link' AS match, ARRAY[link_id] AS links, marketplace, people, earning, ordering FROM tapped
          WHERE link_id NOT IN (SELECT unnest(links) FROM sale WHERE match = 'links')
            OR link_id IN (SELECT links[1] FROM sale WHERE match = 'link') OR link_id = ANY(${ids})
          UNION ALL
          SELECT NULL, 'links', links, marketplace, people, earning, ordering
          FROM (SELECT DISTINCT links FROM sale WHERE match = 'links') AS shared CROSS JOIN unnest(links) AS shared_id
          JOIN tapped ON link_id = shared_id
          UNION ALL
          SELECT id::text, 'link', ARRAY[id], marketplace, 0, 0, 0 FROM links WHERE id = ANY(${ids})
        `,
        covers: (amount) =>
          sql.fragment`(match = 'link' AND ${coversOwn(amount)} AND ${isNew} IS NOT TRUE OR match <> 'link' AND ${covers(amount)})`,
        name: sql.fragment`CASE match WHEN 'links' THEN ${productName(userId, sql.fragment`product`)} WHEN 'channel' THEN ${channelName(userId)} END`,
      };
    }
    case "label":
      return {
        ...asMatched,
        // Links that share a sale have a label in common, or the sale belongs to none.
        sales: sql.fragment`matched LEFT JOIN (
          SELECT links, label_id FROM (SELECT DISTINCT links FROM matched) AS sold CROSS JOIN unnest(links) AS link_id JOIN (
            SELECT * FROM link_labels WHERE link_id = ANY(ARRAY(SELECT unnest(links) FROM matched))
              AND label_id IN (SELECT id FROM labels WHERE user_id = ${userId}) OFFSET 0
          ) AS known USING (link_id) GROUP BY 1, 2 HAVING count(*) = cardinality(links)
        ) AS labelled USING (links)`,
        key: sql.fragment`label_id::text`,
        people: sql.fragment`WITH person AS MATERIALIZED (${tapped}), labelled AS MATERIALIZED (
          SELECT link_id, label_id FROM link_labels WHERE link_id = ANY(ARRAY(SELECT link_id FROM person))
            AND label_id IN (SELECT id FROM labels WHERE user_id = ${userId})
        ) ${byKey(sql.fragment`label_id::text`, sql.fragment`person JOIN labelled USING (link_id)`)}`,
        name: sql.fragment`(SELECT name FROM labels WHERE id = key::int)`,
      };
    case "channel": {
      const key = sql.fragment`channel_id::text`;
      return {
        ...asMatched,
        key,
        people: byPlace(key, placePeople(tapDays)),
        covers: coversOwn,
        name: channelName(userId),
      };
    }
    case "store": {
      const key = sql.fragment`marketplace`;
      const people = sql.fragment`
        SELECT key, match, links, marketplace, greatest(0, round(people)) AS people, greatest(0, round(earning)) AS earning,
          greatest(0, round(ordering)) AS ordering
        FROM (${byPlace(key, storePeople(tapDays))}) AS store WHERE round(people) > 0
      `;
      return { ...asCounted, key, people, covers: coversOwn };
    }
    case "product": {
      const key = sql.fragment`nullif(product, '')`;
      // Also those to which the link led earlier.
      const people = sql.fragment`WITH person AS MATERIALIZED (${tapped}), page AS MATERIALIZED (
        SELECT link_id, asin AS page_asin FROM person
        UNION SELECT link_id, asin FROM link_destinations WHERE link_id = ANY(ARRAY(SELECT link_id FROM person))
      ) ${byKey(sql.fragment`page_asin`, sql.fragment`person JOIN page USING (link_id) WHERE page_asin IS NOT NULL`)}`;
      return { ...asCounted, key, people, name: productName(userId, sql.fragment`key`) };
    }
    case "day":
    case "all": {
      const key = by === "day" ? sql.fragment`day::text` : sql.fragment`''::text`;
      const coversDay: Group["covers"] = (amount) =>
        by === "day" ? sql.fragment`covered.${sql.identifier([amount])} @> key::date` : covers(amount);
      // Also without sales and taps the reports say that all is nothing.
      const always = by === "day" ? sql.fragment`` : sql.fragment`UNION ALL SELECT '', NULL, NULL, NULL, 0, 0, 0`;
      if (channel === undefined) {
        const people = sql.fragment`${byKey(key, sql.fragment`(${peopleOfDays(days, tapDays)}) AS taps`)} ${always}`;
        return { ...asCounted, key, people, covers: coversDay };
      }
      const ofChannel = sql.fragment`channel_id = ${channel}`;
      return {
        ...asMatched,
        sales: sql.fragment`matched WHERE ${ofChannel}`,
        key,
        people: sql.fragment`${byPlace(key, sql.fragment`SELECT * FROM (${placePeople(tapDays)}) AS place WHERE ${ofChannel}`)} ${always}`,
        covers: (amount) =>
          sql.fragment`${coversDay(amount)} AND covered.marketplace IN (SELECT marketplace FROM part)`,
      };
    }
  }
}

const byKey = (key: FragmentSqlToken, rows: FragmentSqlToken) => sql.fragment`
  SELECT ${key} AS key, ${NONE} AS match, ${NO_LINKS} AS links, ${NONE} AS marketplace, sum(people) AS people, sum(earning) AS earning,
    sum(ordering) AS ordering
  FROM ${rows} GROUP BY 1
`;

const byPlace = (key: FragmentSqlToken, rows: FragmentSqlToken) => sql.fragment`
  SELECT ${key} AS key, ${NONE} AS match, ${NO_LINKS} AS links, marketplace, ${PEOPLE} FROM ${ofStores(rows)} GROUP BY 1, 4
`;

const productName = (userId: number, asin: FragmentSqlToken) =>
  sql.fragment`(SELECT name FROM earnings_products WHERE user_id = ${userId} AND asin = ${asin})`;

const channelName = (userId: number) =>
  sql.fragment`(SELECT name FROM channels WHERE id = key::int AND user_id = ${userId})`;
