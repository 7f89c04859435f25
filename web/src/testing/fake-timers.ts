import { act } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { onTestFinished, vi } from "vitest";

/** Stops the clock for this test, and gives a user who does not wait for it. */
export function useFakeClock() {
  vi.useFakeTimers();
  // Testing Library moves a stopped clock by this name alone.
  vi.stubGlobal("jest", { advanceTimersByTime: vi.advanceTimersByTime });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  return userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
}

/** Moves the stopped clock on until `done`; what is real, such as a reply, comes in between. */
export async function advanceUntil(done: () => boolean): Promise<void> {
  while (!done()) await advanceBy(100);
}

export function advanceBy(ms: number): Promise<void> {
  return act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
}
