import { expect, it } from "vitest";
import { parseAmazonUrl } from "./amazon/amazon-url.ts";

it.each([
  ["", "Please enter an Amazon URL"],
  ["https://media.co/x", "Please enter a valid Amazon URL"],
  ["https://www.amazon.com/ap/signin", "Invalid Amazon URL"],
  [
    `https://www.amazon.com/dp/B0ZZ1Y2X3W?${"x".repeat(5_000)}`,
    "This link is too long. Please use a shorter link to the same page.",
  ],
  [`https://media.co/${"x".repeat(5_000)}`, "Please enter a valid Amazon URL"],
  ["https://s3.amazonaws.com/x", "s3.amazonaws.com is not an Amazon shopping page"],
])("the error of %j is reported as %j", (text, message) => {
  expect(parseAmazonUrl(text)).toMatchObject({ kind: "refused", message });
});
