-- The audit log has a partition for each month, so that deleting old rows costs nothing. The table until now is the first partition.
--
-- Two others have no partitions. Rows of `link_changes` are needed until an hour after the relay wrote them: partitions of hours would lock
-- what each change of a link writes and each redirect reads. Of `webhook_deliveries` most rows are deleted as excess of their webhook,
-- before they are old; the others are found by id, and creating or dropping a partition would lock `webhooks`.
CREATE FUNCTION pg_temp.divide_audit_log() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bound text := (SELECT substring(pg_get_constraintdef(oid) FROM '''.+''') FROM pg_constraint WHERE conname = 'audit_log_at_check');
  next_id bigint;
  statement text;
BEGIN
  ALTER TABLE audit_log RENAME TO audit_log_first;
  next_id := nextval(pg_get_serial_sequence('audit_log_first', 'id'));
  ALTER TABLE audit_log_first ALTER id DROP IDENTITY, DROP CONSTRAINT audit_log_pkey,
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY USING INDEX audit_log_id_at_idx;
  FOR statement IN SELECT format('ALTER INDEX %I RENAME TO %I', relname, replace(relname, 'audit_log', 'audit_log_first'))
    FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indrelid = 'audit_log_first'::regclass
  LOOP EXECUTE statement; END LOOP;

  CREATE TABLE audit_log (LIKE audit_log_first INCLUDING DEFAULTS) PARTITION BY RANGE (at);
  FOR statement IN
    SELECT format('ALTER TABLE audit_log ADD CONSTRAINT %I %s', replace(conname, '_first', ''), pg_get_constraintdef(oid))
    FROM pg_constraint WHERE conrelid = 'audit_log_first'::regclass AND contype IN ('p', 'c') AND conname <> 'audit_log_at_check'
    UNION ALL
    SELECT replace(pg_get_indexdef(indexrelid), '_first', '') FROM pg_index
    WHERE indrelid = 'audit_log_first'::regclass AND NOT indisprimary
  LOOP EXECUTE statement; END LOOP;
  EXECUTE format('ALTER TABLE audit_log ALTER id ADD GENERATED ALWAYS AS IDENTITY (START WITH %s)', next_id);
  EXECUTE format('ALTER TABLE audit_log ATTACH PARTITION audit_log_first FOR VALUES FROM (MINVALUE) TO (%s)', bound);
  ALTER TABLE audit_log_first DROP CONSTRAINT audit_log_at_check;
  -- If nobody creates the partition of a month: the log must not refuse a change.
  CREATE TABLE audit_log_rest PARTITION OF audit_log DEFAULT;
END
$$;
SELECT pg_temp.divide_audit_log();
GRANT SELECT, INSERT ON audit_log TO tapthru_api;
GRANT SELECT (id, action, object_id, address_hash) ON audit_log TO tapthru_worker;

-- Drops the partitions whose rows are all older than is kept, and creates that of the next month.
CREATE FUNCTION rotate_audit_log(kept interval) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET timezone = 'UTC' SET lock_timeout = '500ms' AS $$
DECLARE
  next_month timestamptz := date_trunc('month', now()) + interval '1 month';
  partition regclass;
  bound timestamptz; -- Null: of the rest.
  last_bound timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('rotate_audit_log'));
  FOR partition, bound IN
    SELECT oid, substring(pg_get_expr(relpartbound, oid) FROM 'TO \(''(.+)''\)')
    FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'audit_log'::regclass
  LOOP
    IF bound <= now() - greatest(kept, interval '30 days') THEN EXECUTE format('DROP TABLE %s', partition); END IF;
    last_bound := greatest(last_bound, bound);
  END LOOP;
  IF last_bound > next_month THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF audit_log FOR VALUES FROM (%L) TO (%L)',
    'audit_log' || to_char(next_month, '_YYYY_MM'), next_month, next_month + interval '1 month');
END
$$;
REVOKE ALL ON FUNCTION rotate_audit_log FROM PUBLIC;
GRANT EXECUTE ON FUNCTION rotate_audit_log TO tapthru_worker;

-- Whole months are dropped before. What is older is in the first partition, or in the rest.
CREATE OR REPLACE FUNCTION purge_audit_log(kept interval, max_count integer) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  WITH deleted AS (DELETE FROM audit_log WHERE id = ANY (ARRAY(SELECT id FROM audit_log ORDER BY id LIMIT max_count))
      AND at < date_trunc('month', now() - greatest(kept, interval '30 days'), 'UTC')
    RETURNING id), changed AS (UPDATE audit_log SET address_hash = NULL
    WHERE id = ANY (ARRAY(SELECT id FROM audit_log WHERE address_hash IS NOT NULL ORDER BY id LIMIT max_count))
      AND at < now() - interval '30 days' AND id NOT IN (SELECT id FROM deleted)
    RETURNING id)
  SELECT (SELECT count(*) FROM deleted) + (SELECT count(*) FROM changed)
$$;
