-- What SQL asks about the destination of a link. `linkAddresses` of infra/runtime/src/links writes it together with `web_url`.
ALTER TABLE links
  -- What follows `amazon.` in the host of the store.
  ADD marketplace text,
  -- In lower case, without characters that no tag of Amazon has: percent-encoded, 65 characters at most, one more than a tag has.
  ADD tag text,
  -- If it is the page of a product.
  ADD asin text;
-- The same for the `web_url` of an earlier destination.
ALTER TABLE link_destinations ADD marketplace text, ADD tag text, ADD asin text;

CREATE FUNCTION pg_temp.store_of(address text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN substring(address FROM '^https://(?:(?:www|m|smile)\.)?amazon\.(ae|ca|cn|co\.jp|co\.uk|co\.za|com|com\.au|com\.be|'
  'com\.br|com\.mx|com\.tr|de|eg|es|fr|ie|in|it|nl|pl|sa|se|sg)(?:[/?]|$)');
UPDATE links SET marketplace = pg_temp.store_of(web_url), tag = left(tag_of_address(web_url), 65),
  asin = substring(canonical_url FROM '/dp/(\w{10})$')
WHERE pg_temp.store_of(web_url) IS NOT NULL;
UPDATE link_destinations SET marketplace = pg_temp.store_of(web_url), tag = left(tag_of_address(web_url), 65),
  asin = upper(substring(
    split_part(web_url, '?', 1) FROM '(?i)/(?:dp|gp/product|gp/aw/d|exec/obidos/asin|o/asin)/([0-9a-z]{10})(?:/|$)'
  ))
WHERE pg_temp.store_of(web_url) IS NOT NULL;

CREATE INDEX links_user_id_marketplace_tag_asin_idx ON links (user_id, marketplace, tag, asin) WHERE user_id IS NOT NULL;
-- For routed links, which have other tags in other stores.
CREATE INDEX links_user_id_asin_idx ON links (user_id, asin) WHERE user_id IS NOT NULL AND asin IS NOT NULL;
CREATE INDEX link_destinations_marketplace_tag_asin_idx ON link_destinations (marketplace, tag, asin) WHERE tag IS NOT NULL;
