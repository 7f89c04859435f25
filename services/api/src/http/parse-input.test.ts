import type { DocumentedCall } from "@tapthru/proto/call";
import { CALLS, type CallName } from "@tapthru/proto/calls";
import { ERRORS } from "@tapthru/proto/errors";
import { exampleOf } from "@tapthru/proto/examples";
import { invalidBody, invalidQuery } from "@tapthru/proto/general-errors";
import { expect, it } from "vitest";
import { parseInput } from "./parse-input.ts";

/** The error for the documented example of a call with these changes; null: the api accepts it. */
function refusal(name: CallName, part: "body" | "query", change: object): string | null {
  const call = CALLS[name] as DocumentedCall;
  const schema = call[part];
  if (schema === undefined) throw new Error(`${name} has no ${part}`);
  try {
    parseInput(schema, { ...Object(exampleOf(call)[part]), ...change }, part === "body" ? invalidBody : invalidQuery);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const long = (length: number) => "a".repeat(length);
const PRODUCT = { marketplace: "de", from: "B0ZZ1Y2X3W", to: "B0ZZ1Y2X3V" };
const MALFORMED = ERRORS["malformed-request"].message;
const TAG_RULE = "A tag has only letters, digits, dots, hyphens and underscores, at most 64 in total";
const ONE_LINE = "Line breaks and control characters are not allowed";

it.each<[CallName, message: string, change: object]>([
  // The message of a rule, or of the first field without one.
  ["createUser", "Please enter a valid email address", { username: "ad", email: "ada" }],
  ["createUser", "Username must be at least 3 characters", { username: "\u200B".repeat(3) }],
  ["createUser", "Username must be at most 50 characters", { username: long(51) }],
  ["createUser", ONE_LINE, { username: "ada\nb" }],
  ["createUser", "A word of a username must not mix Latin letters with Cyrillic or Greek ones.", { username: "аda" }],
  ["createUser", "Please enter a valid email address", { email: `${long(243)}@example.com` }],
  ["createUser", "Missing or malformed field: username", { username: 7 }],
  ["updateLink", "Nickname is required", { nickname: " \n " }],
  ["updateLink", "Nickname must be at most 200 characters", { nickname: long(201) }],
  ["updateLink", "Title is required", { title: "\u200B" }],
  ["updateLink", "Title must be at most 200 characters", { title: long(201) }],
  ["updateLink", ONE_LINE, { title: "a\ud800" }],
  ["updateLink", ERRORS["not-an-amazon-link"].message, { fallbackUrl: "https://evil.example/" }],
  ["updateLink", ERRORS["unusable-link"].message, { fallbackUrl: "https://www.amazon.de/gp/redirect.html?location=x" }],
  ["createLabel", "The name of a label must be at most 50 characters", { name: long(51) }],
  ["createKey", "Missing or malformed field: scopes", { scopes: ["account:delete"] }],
  ["createWebhook", "Address is too long", { url: `https://hooks.example/${long(2_048)}` }],
  ["saveEarningsRates", "This currency is not known.", { rates: [{ currency: "XYZ", rate: 1 }] }],
  ["createLinks", "Send 1 to 100 links.", { links: Array(101).fill({ url: "x" }) }],
  ["deleteLinks", "Missing or malformed field: ids", { ids: Array.from({ length: 1_001 }, (_, id) => id) }],
  ["saveStoreTag", TAG_RULE, { tag: "me&x=1" }],
  ["saveStoreTag", TAG_RULE, { tag: "-21" }],
  ["saveStoreTag", TAG_RULE, { tag: long(65) }],
  ["saveStoreTag", "Missing or malformed field: marketplace", { marketplace: "toString" }],
  // A field that the call does not have is named only if its name is a usual one.
  ["updateLink", "Unexpected field: takenDown", { takenDown: false }],
  ["generate", "Unexpected field: constructor", { constructor: {} }],
  ["createUser", MALFORMED, { ["x".repeat(9_000)]: 1 }],
  ["createUser", MALFORMED, { "a\nb": 1 }],
])("%s refuses a body: %s", (name, message, change) => {
  expect(refusal(name, "body", change)).toBe(message);
});

it.each([[{}], [[]], [{ title: "a", labelsRevision: "1" }]])("updateLink refuses the body %j", (body) => {
  expect(() => parseInput(CALLS.updateLink.body, body, invalidBody)).toThrow(MALFORMED);
});

it("an expiry date may be in any time zone, before the year 9999 ends", () => {
  const expiry = (expiresAt: string) => refusal("createLink", "body", { expiresAt });
  expect(expiry("2999-01-02T00:00:00+20:00")).toBeNull();
  expect(expiry("9999-12-31T12:00:00Z")).toBe("The expiry date must be before December 31, 9999");
  expect(expiry("2020-01-01T00:00:00Z")).toBe("The expiry date must be in the future");
});

it.each([
  [{ ids: [1], addLabels: ["A"] }, true],
  [{ addLabels: ["A"] }, false],
  [{ ids: [1] }, false],
  [{ product: PRODUCT }, true],
  [{ ids: [1], product: PRODUCT }, false],
  [{ product: { ...PRODUCT, undoOf: "1970-01-01T00:00:00.000Z" } }, true],
  // Postgres cannot read this time.
  [{ product: { ...PRODUCT, undoOf: "0000-01-01T00:00:00Z" } }, false],
])("changeLinks with %j is accepted: %s", (body, isAccepted) => {
  expect(CALLS.changeLinks.body.safeParse(body).success).toBe(isAccepted);
});

it.each<[CallName, Record<string, string>]>([
  ["listLinks", { limit: "0" }],
  ["listLinks", { limit: "201" }],
  ["listLinks", { limit: "1e2" }],
  ["listLinks", { cursor: "1 OR 1=1" }],
  ["listLinks", { cursor: "9".repeat(30) }],
  ["listLinks", { cursor: "1~a\0b" }],
  ["listLinks", { store: "toString" }],
  ["listLinks", { q: "a\0b" }],
  ["listLinks", { domain: "a\0b" }],
  ["listLinks", { createdFrom: "1969-12-31T23:59:59Z" }],
  ["listLinks", { createdBefore: `2026-01-01T00:00:00.${"1".repeat(200)}Z` }],
  ["getLinkClicks", { from: "2026-02-30" }],
  ["listLinkPeople", { codes: Array(201).fill("abcdef2").join(",") }],
  ["metadata", { product_id: "../x" }],
  ["metadata", { product_id: "a\0b" }],
  ["metadata", { marketplace: "__proto__" }],
])("%s refuses a query and names its field: %j", (name, change) => {
  expect(refusal(name, "query", change)).toBe(`Missing or malformed field: ${Object.keys(change)}`);
});
