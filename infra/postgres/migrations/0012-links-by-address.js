/** For finding those of a user's links that lead to an address: `linksToAddress`. */
export const up = (pgm) => {
  pgm.noTransaction();
  pgm.sql("DROP INDEX CONCURRENTLY IF EXISTS links_user_id_address_idx");
  pgm.sql(
    `CREATE INDEX CONCURRENTLY links_user_id_address_idx ON links (user_id, hashtext(web_url), id)
     WHERE user_id IS NOT NULL`,
  );
};
