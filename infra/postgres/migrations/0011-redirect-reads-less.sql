-- The redirect service reads only the view and the columns of the outbox that it tails.
REVOKE SELECT ON links, retired_codes, products, link_changes FROM tapthru_redirect;
GRANT SELECT (transaction_id, id, short_code, revision) ON link_changes TO tapthru_redirect;
