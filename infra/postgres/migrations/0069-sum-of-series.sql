-- Adds up the quarters of a series of packed counts, such as '37 40:12', from `first` until before `past`.
CREATE FUNCTION sum_of_series(series text, first integer, past integer) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(sum(coalesce(nullif(split_part(quarter, ':', 2), '')::bigint, 1)), 0)::bigint
  FROM unnest(string_to_array(series, ' ')) AS quarter
  WHERE split_part(quarter, ':', 1)::integer >= first AND split_part(quarter, ':', 1)::integer < past
$$;
