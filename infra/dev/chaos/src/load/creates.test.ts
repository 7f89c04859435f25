import { describe, expect, it } from "vitest";
import { type Create, makeCreates, productPages, readCreates } from "./creates.ts";
import type { Answer } from "./exchange.ts";

const [create] = makeCreates(1, productPages(1)) as [Create];
const LINK = {
  shortCode: "abc2345",
  shortUrl: "http://localhost:8080/l/abc2345",
  deepLink: "http://localhost:8080/redirect?product_id=B000000000",
  originalUrl: create.url,
  imageUrl: null,
  title: null,
};

function read(answer: Partial<Answer> | null) {
  const whole = answer && { status: 201, location: null, retryAfter: null, body: "", ...answer };
  return readCreates([create], [{ index: 0, answer: whole }]);
}

it("makes creates of as many addresses, of a few pages", () => {
  const creates = makeCreates(10, productPages(3));

  expect(new Set(creates.map(({ url }) => url)).size).toBe(10);
  expect(new Set(creates.map(({ page }) => page)).size).toBe(3);
});

describe("an answer to a create", () => {
  it.each([200, 201])("is a link with status %i", (status) => {
    const { made, notMade } = read({ status, body: JSON.stringify(LINK) });

    expect(made).toEqual(new Map([[create.url, "abc2345"]]));
    expect(notMade).toEqual([]);
  });

  it.each([
    ["a link of another address", { body: JSON.stringify({ ...LINK, originalUrl: "https://x" }) }],
    ["a link whose address is another's", { body: JSON.stringify({ ...LINK, shortCode: "xyz" }) }],
    ["no link at all", { body: "<html>" }],
    ["an error", { status: 500 }],
    ["a refusal that does not say when to come back", { status: 503 }],
    ["a complaint about what was right", { status: 422 }],
  ])("is wrong as %s", (_what, answer) => {
    expect(read(answer)).toMatchObject({ notMade: [create], wrong: [expect.any(String)] });
  });

  it.each([{ status: 502 }, { status: 504 }, { status: 503, retryAfter: "1" }])(
    "is an honest refusal as $status",
    (answer) => {
      expect(read(answer)).toMatchObject({
        notMade: [create],
        refused: [answer.status],
        wrong: [],
      });
    },
  );

  it("may not come", () => {
    expect(read(null)).toMatchObject({ notMade: [create], unanswered: 1, wrong: [] });
  });
});
