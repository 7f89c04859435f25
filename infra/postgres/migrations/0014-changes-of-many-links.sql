-- The statements that change what many links depend on add a row by themselves: services/core/src/links/mass-changes.ts.
GRANT INSERT ON mass_changes TO tapthru_worker;
GRANT EXECUTE ON FUNCTION lock_channel_tag TO tapthru_api;
-- Not for a statement that adds none.
CREATE OR REPLACE TRIGGER mass_changes_notify AFTER INSERT ON mass_changes FOR EACH ROW EXECUTE FUNCTION notify_mass_changes();
