-- The transaction that inserted the row. With it a reader finds exactly the rows that were not visible before,
-- independent of the order of commits. Existing rows count as the oldest.
ALTER TABLE link_changes ADD transaction_id xid8 NOT NULL DEFAULT '1';
ALTER TABLE link_changes ALTER transaction_id SET DEFAULT pg_current_xact_id();

CREATE INDEX link_changes_transaction_id_id_idx ON link_changes (transaction_id, id);
