import { type FragmentSqlToken, sql } from "slonik";

/** So that a user with very many links to one page gets no statement that reads all of them. */
const SAME_ADDRESS_MAX_COUNT = 200;

/**
 * The live links of a user that lead to an address, the newest 200 at most: a query of whole rows, which reads an index of addresses.
 * @param webUrl with the tag, as in `web_url`
 */
export function linksToAddress(userId: number, webUrl: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`
    SELECT * FROM links
    WHERE user_id = ${userId} AND hashtext(web_url) = hashtext(${webUrl}) AND web_url = ${webUrl}
      AND (expires_at IS NULL OR expires_at > now())
    ORDER BY id DESC LIMIT ${SAME_ADDRESS_MAX_COUNT}
  `;
}
