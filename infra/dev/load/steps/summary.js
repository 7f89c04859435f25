import { summaryText } from "../src/summary.ts";

/** k6 calls it at the end. The HTML page is its own dashboard's. */
export function handleSummary(data) {
  const { SUMMARY } = __ENV;
  return {
    stdout: summaryText(data),
    ...(SUMMARY && { [SUMMARY]: `${JSON.stringify(data, null, 2)}\n` }),
  };
}
