// The next migration makes the audit log the first partition of a new one. It must not read the rows or create an index meanwhile:
// nobody can write then.
export const up = (pgm) => {
  pgm.noTransaction();
  pgm.sql("DROP INDEX CONCURRENTLY IF EXISTS audit_log_id_at_idx");
  pgm.sql("CREATE UNIQUE INDEX CONCURRENTLY audit_log_id_at_idx ON audit_log (id, at)");
  pgm.sql("ALTER TABLE audit_log DROP CONSTRAINT IF EXISTS audit_log_at_check");
  pgm.sql(
    `DO $$ BEGIN
       EXECUTE format('ALTER TABLE audit_log ADD CHECK (at < %L) NOT VALID',
         (date_trunc('month', now(), 'UTC') AT TIME ZONE 'UTC' + interval '2 months') AT TIME ZONE 'UTC');
     END $$`,
  );
  pgm.sql("ALTER TABLE audit_log VALIDATE CONSTRAINT audit_log_at_check");
};
