import { act } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { onTestFinished, vi } from "vitest";

/** Uses fake timers for this test. Returns a user-event instance that advances them. */
export function useFakeClock() {
  vi.useFakeTimers();
  // Testing Library advances fake timers only through a global named jest.
  vi.stubGlobal("jest", { advanceTimersByTime: vi.advanceTimersByTime });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  return userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
}

/** Advances the fake clock until `done`. Real events, such as responses, are processed between the steps. */
export async function advanceUntil(done: () => boolean, { stepMs = 100 } = {}): Promise<void> {
  while (!done()) await advanceBy(stepMs);
}

export function advanceBy(ms: number): Promise<void> {
  return act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
}
