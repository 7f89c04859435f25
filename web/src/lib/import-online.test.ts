import { HttpResponse, http } from "msw";
import { expect, onTestFinished, test, vi } from "vitest";
import { advanceBy, useFakeClock } from "../testing/fake-timers.ts";
import { server } from "../testing/server.ts";
import { importOnline } from "./import-online.ts";

test("loads a module once", async () => {
  const load = vi.fn(async () => "module");
  const loadOnline = importOnline(load);
  expect(await Promise.all([loadOnline(), loadOnline()])).toEqual(["module", "module"]);
  expect(await loadOnline()).toBe("module");
  expect(load).toHaveBeenCalledOnce();
});

test("imports nothing while offline, and the next call retries", async () => {
  const load = vi.fn(async () => "module");
  const loadOnline = importOnline(load);
  server.use(http.head("/version.txt", () => HttpResponse.error(), { once: true }));
  await expect(loadOnline()).rejects.toThrow("Network error");
  expect(load).not.toHaveBeenCalled();
  expect(await loadOnline()).toBe("module");
});

test("imports that start together share one check of the server", async () => {
  let checks = 0;
  server.use(
    http.head("/version.txt", () => {
      checks += 1;
      return new HttpResponse();
    }),
  );
  const first = importOnline(async () => "first");
  const second = importOnline(async () => "second");
  expect(await Promise.all([first(), second()])).toEqual(["first", "second"]);
  expect(checks).toBe(1);
  await importOnline(async () => "third")();
  expect(checks).toBe(2);
});

test("stops waiting for a server that does not respond, and the next call retries", async () => {
  useFakeClock();
  useTimeoutsOfFakeClock();
  server.use(http.head("/version.txt", () => new Promise<never>(() => {}), { once: true }));
  const loadOnline = importOnline(async () => "module");
  const failure = expect(loadOnline()).rejects.toMatchObject({ name: "TimeoutError" });
  await advanceBy(15_000);
  await failure;
  expect(await loadOnline()).toBe("module");
});

/** The fake clock does not advance happy-dom's AbortSignal.timeout. */
function useTimeoutsOfFakeClock() {
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException("Timeout", "TimeoutError")), ms);
    return controller.signal;
  });
  onTestFinished(() => timeout.mockRestore());
}
