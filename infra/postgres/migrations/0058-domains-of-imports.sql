-- The own domain of all links of an import; null: the site's own host.
ALTER TABLE imports ADD domain text;
