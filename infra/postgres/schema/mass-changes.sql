-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE mass_changes (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  payload jsonb NOT NULL,
  after_id bigint NOT NULL DEFAULT 0,
  CONSTRAINT mass_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX mass_changes_kind_id_idx ON mass_changes (kind, id);
CREATE TRIGGER mass_changes_notify AFTER INSERT ON mass_changes FOR EACH ROW EXECUTE FUNCTION notify_mass_changes();
GRANT DELETE, INSERT, SELECT, UPDATE ON mass_changes TO tapthru_api, tapthru_worker;

CREATE FUNCTION notify_mass_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_notify('link_changes', '');
  RETURN NULL;
END
$function$;
GRANT EXECUTE ON FUNCTION notify_mass_changes TO PUBLIC;
