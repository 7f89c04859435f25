import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { loadSchemas } from "../lib/http/load-schemas.ts";
import { server } from "./server.ts";

// Lazy-loaded pages may take long on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

const consoleSpies = { error: vi.spyOn(console, "error"), warn: vi.spyOn(console, "warn") };

beforeAll(async () => {
  server.listen({ onUnhandledFrame: "error" });
  // Lazy-loaded modules take real time, which fake timers do not advance.
  await import("../components/ui/toast-viewport.tsx");
  await import("../features/session/stored-links.ts");
  // As main.tsx does, so that the first API call of a test does not wait.
  await loadSchemas();
});

beforeEach(() => {
  consoleSpies.error.mockClear();
  consoleSpies.warn.mockClear();
});

afterEach(() => {
  cleanup();
  server.resetHandlers();
  sessionStorage.clear();
  localStorage.clear();
  expect(consoleSpies.error.mock.calls, "console.error").toEqual([]);
  expect(consoleSpies.warn.mock.calls, "console.warn").toEqual([]);
});

afterAll(() => server.close());
