import type { ReportKind } from "@tapthru/proto/rules/earnings";
import type { TestApi } from "./test-api.ts";

interface TestSale {
  day: string;
  tag?: string;
  asin?: string;
  isDirect?: boolean | null;
  earnings?: number;
  revenue?: number;
  ordered?: number;
  shipped?: number;
  returned?: number;
  clicks?: number;
}

export interface TestReport {
  userId: number;
  kind?: ReportKind;
  marketplace?: string;
  storeId?: string;
  currency?: string;
  period: readonly [string, string];
  sales: readonly TestSale[];
}

const NO_SUMS = '{"earnings":null,"revenue":null,"ordered":null,"shipped":null,"returned":null,"clicks":null}';

/** Stores a report as the worker and the api do. @returns the id of its import */
export async function addReport(
  api: Pick<TestApi, "query">,
  {
    userId,
    kind = "earnings",
    marketplace = "de",
    storeId = "",
    currency = "EUR",
    period: [first, last],
    sales,
  }: TestReport,
): Promise<string> {
  const [row] = await api.query(`
    WITH import AS (
      INSERT INTO earnings_imports (user_id, state, marketplace, store_id, stored_at)
      VALUES (${userId}, 'stored', '${marketplace}', '${storeId}', clock_timestamp()) RETURNING id
    ), report AS (
      INSERT INTO earnings_reports (import_id, user_id, marketplace, store_id, file_name, kind, first_day,
        last_day, currency, row_count, sums)
      SELECT id, ${userId}, '${marketplace}', '${storeId}', 'report.csv', '${kind}', '${first}', '${last}',
        '${currency}', ${sales.length}, '${NO_SUMS}' FROM import RETURNING id
    ), items AS (
      INSERT INTO earnings_rows
      SELECT report.id, day, coalesce(tag, ''), coalesce(asin, ''), "isDirect", earnings, revenue, ordered,
        shipped, returned, clicks
      FROM report, jsonb_to_recordset('${JSON.stringify(sales)}') AS sale (day date, tag text, asin text,
        "isDirect" boolean, earnings bigint, revenue bigint, ordered int, shipped int, returned int, clicks int)
    )
    SELECT id FROM import
  `);
  await api.query(`SELECT calculate_earnings_days(${userId}, '${marketplace}', '${storeId}', '${kind}')`);
  return String(row?.id);
}

interface TestProductLink {
  userId: number;
  code: string;
  asin: string;
  marketplace?: string;
  tag?: string | null;
  channelId?: number | null;
  routing?: boolean | null;
}

/** A link that is older than all reports. @returns its id */
export async function addProductLink(
  api: Pick<TestApi, "query">,
  { userId, code, asin, marketplace = "de", tag = "me-21", channelId = null, routing = null }: TestProductLink,
): Promise<number> {
  const url = `https://www.amazon.${marketplace}/dp/${asin}${tag === null ? "" : `?tag=${tag}`}`;
  const [row] = await api.query(`
    INSERT INTO links (short_code, original_url, web_url, marketplace, tag, asin, deep_link, user_id, nickname, channel_id, routing, created_at)
    VALUES ('${code}', '${url}', '${url}', '${marketplace}', ${tag && `'${tag}'`}, '${asin}',
      'http://t.example/redirect?product_id=x', ${userId}, 'Link ${code}', ${channelId}, ${routing}, '2020-01-01')
    RETURNING id
  `);
  return Number(row?.id);
}
