import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { loadSchemas } from "../lib/http/load-schemas.ts";
import { server } from "./server.ts";
import { recordToasts } from "./toast.ts";

// They only end tests that wait forever: a busy machine is many times slower.
configure({ asyncUtilTimeout: 60_000 });

beforeAll(async () => {
  server.listen({ onUnhandledFrame: "error" });
  // Lazy-loaded modules take real time, which fake timers do not advance.
  await import("../components/ui/toast-viewport.tsx");
  await import("../features/session/stored-links.ts");
  // As main.tsx does, so that the first API call of a test does not wait.
  await loadSchemas();
});

const { timeout } = AbortSignal;

beforeEach(() => {
  // A reply that is held while a slow machine types does not time out.
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout.call(AbortSignal, 20 * ms));
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
  return recordToasts();
});

// Files share one window and their modules.
afterEach(() => {
  cleanup();
  server.resetHandlers();
  sessionStorage.clear();
  history.replaceState(null, "", "/");
  localStorage.clear();
  const logged = [...vi.mocked(console.error).mock.calls, ...vi.mocked(console.warn).mock.calls];
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  expect(logged, "logged lines").toEqual([]);
});

afterAll(() => server.close());
