export const up = (pgm) => {
  pgm.noTransaction();
  // For those of a user's links that lead to an address: `linksToAddress`.
  pgm.sql("DROP INDEX CONCURRENTLY IF EXISTS links_user_id_address_idx");
  pgm.sql(
    `CREATE INDEX CONCURRENTLY links_user_id_address_idx ON links (user_id, hashtext(web_url), id)
     WHERE user_id IS NOT NULL`,
  );
  // For the purge of expired links, without those of users, which are kept. In place of the one of all links.
  pgm.sql("DROP INDEX CONCURRENTLY IF EXISTS links_of_visitors_expires_at_idx");
  pgm.sql(
    `CREATE INDEX CONCURRENTLY links_of_visitors_expires_at_idx ON links (expires_at, id)
     WHERE user_id IS NULL AND expires_at IS NOT NULL`,
  );
  pgm.sql("DROP INDEX CONCURRENTLY IF EXISTS links_expires_at_idx");
};
