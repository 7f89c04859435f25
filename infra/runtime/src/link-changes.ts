import { sql } from "slonik";

/**
 * The outbox entries of a statement that changes links, without values, so that pg can run its `.sql` too. The
 * statement's CTE `link` returns `short_code` and `revision`, one row per changed link. A condition may follow.
 */
export const insertLinkChanges = sql.fragment`INSERT INTO link_changes (short_code, revision)
    SELECT short_code, revision FROM link`;

/**
 * CTEs that retire the codes of deleted links, so that they are never reused, and add the outbox entries. The
 * statement's CTE `link` deletes the links and returns `short_code`, `revision + 1 AS revision`, and the literal
 * 'deleted' or 'expired' as `reason`.
 */
export const retireDeletedLinks = sql.fragment`retired_code AS (
      INSERT INTO retired_codes (short_code, reason, revision)
      SELECT short_code, reason, revision FROM link
      ON CONFLICT DO NOTHING
    ), link_change AS (
      ${insertLinkChanges}
    )`;
