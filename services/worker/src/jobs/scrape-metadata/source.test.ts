import { SafeFetchError } from "@tapthru/core/platform/safe-fetch/errors";
import { expect, it } from "vitest";
import { readResultFromError } from "./source.ts";

const { signal } = new AbortController();

it("classifies an unreachable host as unreachable, and a refused URL as permanently unsupported", () => {
  const result = (code: "refused-url" | "unreachable") => readResultFromError(new SafeFetchError(code), signal);

  expect(result("unreachable")).toEqual({ kind: "nothing", outcome: "unreachable" });
  expect(result("refused-url")).toMatchObject({ outcome: "unsupported", lasting: true });
});

it("throws an error that the request did not cause", () => {
  const error = new TypeError("no such property");
  expect(() => readResultFromError(error, signal)).toThrow(error);
});

it("throws the reason of an abort, regardless of the error of the request", () => {
  const stop = new Error("the worker stops");
  const error = new SafeFetchError("timeout");
  expect(() => readResultFromError(error, AbortSignal.abort(stop))).toThrow(stop);
});
