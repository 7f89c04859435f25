import { describe, expect, it } from "vitest";
import {
  type LinkToCreate,
  newLinksToCreate,
  productPages,
  readCreateOutcomes,
} from "./creates.ts";
import type { HttpResponse } from "./exchange.ts";

const [create] = newLinksToCreate(1, productPages(1)) as [LinkToCreate];
const LINK = {
  shortCode: "abc2345",
  shortUrl: "http://localhost:8080/l/abc2345",
  deepLink: "http://localhost:8080/redirect?product_id=B000000000",
  originalUrl: create.url,
  imageUrl: null,
  title: null,
};

function read(response: Partial<HttpResponse> | null) {
  const complete = response && {
    status: 201,
    location: null,
    retryAfter: null,
    body: "",
    ...response,
  };
  return readCreateOutcomes([create], [{ index: 0, response: complete }]);
}

it("returns creates of different URLs of a few pages", () => {
  const creates = newLinksToCreate(10, productPages(3));

  expect(new Set(creates.map(({ url }) => url)).size).toBe(10);
  expect(new Set(creates.map(({ page }) => page)).size).toBe(3);
});

describe("a response to a create", () => {
  it.each([200, 201])("is a link with status %i", (status) => {
    const { created, notCreated } = read({ status, body: JSON.stringify(LINK) });

    expect(created).toEqual(new Map([[create.url, "abc2345"]]));
    expect(notCreated).toEqual([]);
  });

  it.each([
    ["a link of another URL", { body: JSON.stringify({ ...LINK, originalUrl: "https://x" }) }],
    [
      "a link whose short URL has another code",
      { body: JSON.stringify({ ...LINK, shortCode: "xyz" }) },
    ],
    ["no link", { body: "<html>" }],
    ["an error", { status: 500 }],
    ["a 503 without Retry-After", { status: 503 }],
    ["a rejection of a valid URL", { status: 422 }],
  ])("is wrong with %s", (_what, response) => {
    expect(read(response)).toMatchObject({ notCreated: [create], wrong: [expect.any(String)] });
  });

  it.each([{ status: 502 }, { status: 504 }, { status: 503, retryAfter: "1" }])(
    "is a retryable refusal with $status",
    (response) => {
      expect(read(response)).toMatchObject({
        notCreated: [create],
        refused: [response.status],
        wrong: [],
      });
    },
  );

  it("may be missing", () => {
    expect(read(null)).toMatchObject({ notCreated: [create], withoutResponse: 1, wrong: [] });
  });
});
