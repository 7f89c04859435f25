-- Amazon's clicks of a channel are those of several tags.
ALTER TABLE channel_arrivals ALTER amazon_clicks TYPE bigint;
