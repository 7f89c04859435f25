import { sql } from "slonik";

/** The owner of a link, by the table `owner`; null: the link was created without an account. */
export const ownerObject = sql.fragment`
  CASE WHEN owner.id IS NOT NULL THEN jsonb_build_object('id', owner.id, 'username', owner.username) END
`;
