import { onTestFinished, vi } from "vitest";

/**
 * Captures log calls, which otherwise fail the test.
 * @returns a function that returns the captured lines and clears them. Lines that are not read fail the test.
 */
export function catchLogs(level: "warn" | "error"): () => string[] {
  const log = vi.mocked(console[level]);
  log.mockImplementation(() => {});
  onTestFinished(() => {
    log.mockReset();
  });
  return () => {
    const lines = log.mock.calls.map((values) => values.map(String).join(" "));
    log.mockClear();
    return lines;
  };
}
