import type { AmazonAdsResult } from "@tapthru/proto/http/amazon-ads";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";

const RESULTS: readonly AmazonAdsResult[] = ["connected", "denied", "failed"];

/** How the login came out that the browser comes back from; told once, so the address forgets it. */
export function useResult() {
  const [query, setQuery] = useSearchParams();
  const [result, setResult] = useState(
    () => RESULTS.find((one) => one === query.get("result")) ?? null,
  );
  const isInAddress = query.has("result");
  useEffect(() => {
    if (isInAddress) setQuery({}, { replace: true });
  }, [isInAddress, setQuery]);
  return { result, clearResult: () => setResult(null) };
}
