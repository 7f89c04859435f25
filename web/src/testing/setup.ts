import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { loadSchemas } from "../lib/load-schemas.ts";
import { server } from "./server.ts";

// On a busy machine a page that loads apart takes its time.
configure({ asyncUtilTimeout: 10_000 });

const noise = { error: vi.spyOn(console, "error"), warn: vi.spyOn(console, "warn") };

beforeAll(async () => {
  server.listen({ onUnhandledFrame: "error" });
  // Loads apart, which takes real time, also while a test has stopped the clock.
  await import("../components/ui/toast-viewport.tsx");
  // As the page does on load: the first call of a test must not wait for it.
  await loadSchemas();
});

beforeEach(() => {
  noise.error.mockClear();
  noise.warn.mockClear();
});

afterEach(() => {
  cleanup();
  server.resetHandlers();
  sessionStorage.clear();
  localStorage.clear();
  expect(noise.error.mock.calls, "console.error").toEqual([]);
  expect(noise.warn.mock.calls, "console.warn").toEqual([]);
});

afterAll(() => server.close());
