import { SafeFetchError } from "@tapthru/runtime/safe-fetch/errors";
import { expect, it } from "vitest";
import { readResultOfError } from "./request-failure.ts";

const { signal } = new AbortController();

it("classifies an unreachable host as unreachable, and a refused URL as permanently unsupported", () => {
  const reading = (code: "refused-url" | "unreachable") =>
    readResultOfError(new SafeFetchError(code), signal);

  expect(reading("unreachable")).toEqual({ kind: "nothing", outcome: "unreachable" });
  expect(reading("refused-url")).toMatchObject({ outcome: "unsupported", lasting: true });
});

it("throws an error that the request did not cause", () => {
  const error = new TypeError("no such property");
  expect(() => readResultOfError(error, signal)).toThrow(error);
});

it("throws the reason of an abort, with any result of the request", () => {
  const stop = new Error("the worker stops");
  const error = new SafeFetchError("timeout");
  expect(() => readResultOfError(error, AbortSignal.abort(stop))).toThrow(stop);
});
