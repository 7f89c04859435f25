import { expect, it } from "vitest";
import { problemOf } from "./order-problem.ts";

const axiosError = (response?: { status: number }) =>
  Object.assign(new Error("failed"), { isAxiosError: true, response });

it.each([
  [new Error("CAA record for go.anna.example prevents issuance"), "caa-forbids"],
  [new Error('{"challenges":[{"error":{"type":"urn:ietf:params:acme:error:caa"}}]}'), "caa-forbids"],
  [new Error("too many certificates (50) already issued for “anna.example” in the last 168h"), "order-limit"],
  [axiosError({ status: 429 }), "order-limit"],
  [axiosError(), "authority-unavailable"],
  [axiosError({ status: 502 }), "authority-unavailable"],
  [new Error("Attempting to read ACME directory returned error 503: x"), "authority-unavailable"],
  [new Error("Operation is pending or processing"), "authority-unavailable"],
  [new Error("Invalid response from http://go.anna.example: 404"), "order-refused"],
  [new TypeError("Cannot read properties of undefined (reading 'config')"), "authority-unavailable"],
  ["x", "order-refused"],
])("%s is %s", (error, expected) => {
  expect(problemOf(error)).toBe(expected);
});
