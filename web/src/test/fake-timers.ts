import { userEvent } from "@testing-library/user-event";
import { onTestFinished, vi } from "vitest";

/** Stops the clock for this test, and gives a user who does not wait for it. */
export function stopClock() {
  vi.useFakeTimers();
  // Testing Library moves a stopped clock by this name alone.
  vi.stubGlobal("jest", { advanceTimersByTime: vi.advanceTimersByTime });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  return userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
}
