import { vi } from "vitest";

/** Repeats a check until it holds. The end is generous, because a machine may be slow. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000 });
