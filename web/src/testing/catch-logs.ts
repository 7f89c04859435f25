import { onTestFinished, vi } from "vitest";

/**
 * From here on this test expects something to be logged, which would fail it otherwise.
 * @returns takes what was logged since, a line each; what is left untaken fails the test
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
