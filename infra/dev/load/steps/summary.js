import { summaryText } from "../src/summary.ts";

/** Called by k6 at the end of a run. The HTML page comes from k6's dashboard. */
export function handleSummary(data) {
  const { SUMMARY } = __ENV;
  return {
    stdout: summaryText(data),
    ...(SUMMARY && { [SUMMARY]: `${JSON.stringify(data, null, 2)}\n` }),
  };
}
