-- Reports of links by visitors: counts only, nothing about the visitors.
CREATE TABLE reports (
  short_code text NOT NULL
    CONSTRAINT reports_short_code_fkey REFERENCES links (short_code) ON DELETE CASCADE,
  reason text NOT NULL
    CONSTRAINT reports_reason_known CHECK (reason IN ('misleading', 'harmful', 'spam', 'other')),
  count integer NOT NULL DEFAULT 1,
  first_reported_at timestamptz NOT NULL DEFAULT now(),
  last_reported_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT reports_pkey PRIMARY KEY (short_code, reason)
);

CREATE INDEX reports_last_reported_at_idx ON reports (last_reported_at);

GRANT SELECT, INSERT, UPDATE ON reports TO tapthru_api;
GRANT SELECT, DELETE ON reports TO tapthru_worker;
