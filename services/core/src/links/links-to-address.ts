import { type FragmentSqlToken, sql } from "slonik";

/** So that a user with very many links to one page gets no statement that reads all of them. */
const SAME_ADDRESS_MAX_COUNT = 200;

/**
 * The live links of a user that lead to an address, the newest 200 with a tag of their own and with that of their channel: a query
 * of whole rows, which reads an index of addresses.
 * @param webUrl with the tag
 */
export function linksToAddress(userId: number, webUrl: FragmentSqlToken): FragmentSqlToken {
  const stored = (url: FragmentSqlToken) => sql.fragment`(
    SELECT * FROM links
    WHERE user_id = ${userId} AND hashtext(web_url) = hashtext(${url}) AND web_url = ${url}
      AND (expires_at IS NULL OR expires_at > now())
    ORDER BY id DESC LIMIT ${SAME_ADDRESS_MAX_COUNT}
  )`;
  return sql.fragment`
    SELECT * FROM (${stored(webUrl)} UNION ${stored(sql.fragment`with_tag(${webUrl}, '')`)}) AS links
    WHERE link_url(links::links, web_url) = ${webUrl}
  `;
}
