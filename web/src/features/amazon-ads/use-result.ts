import type { AmazonAdsResult } from "@tapthru/proto/http/amazon-ads";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";

const RESULTS: readonly AmazonAdsResult[] = ["connected", "denied", "failed"];

/** The result of the Amazon login, from the query string. Removes it from the URL, so that it is shown once. */
export function useResult() {
  const [query, setQuery] = useSearchParams();
  const [result, setResult] = useState(
    () => RESULTS.find((known) => known === query.get("result")) ?? null,
  );
  const isInAddress = query.has("result");
  useEffect(() => {
    if (isInAddress) setQuery({}, { replace: true });
  }, [isInAddress, setQuery]);
  return { result, clearResult: () => setResult(null) };
}
