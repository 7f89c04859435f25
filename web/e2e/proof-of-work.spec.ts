import { getChallenge, PROOF_HEADER } from "@tapthru/proto/proof-of-work";
import { ERRORS } from "@tapthru/proto/rules/errors";
import { expect, test } from "./home.ts";

const CODE = "proof-of-work-required";

test("a visitor's browser proves work by itself while many links are created", async ({ home, page }) => {
  await page.route(
    "**/api/generate",
    (route) => {
      const { status, message: title } = ERRORS[CODE];
      const body = JSON.stringify({ title, status, code: CODE });
      return route.fulfill({ status, body, contentType: "application/problem+json" });
    },
    { times: 1 },
  );
  const notice = page.getByText("Checking that you are not a robot");
  await page.route(`**${getChallenge.path}`, async (route) => {
    await notice.waitFor();
    await route.continue();
  });
  const proved = page.waitForRequest((request) => PROOF_HEADER.toLowerCase() in request.headers());

  await home.createLink();

  await expect(notice).toBeHidden();
  const header = (await proved).headers()[PROOF_HEADER.toLowerCase()] ?? "";
  const { challenge, solution } = JSON.parse(Buffer.from(header, "base64").toString());
  expect(solution.derivedKey.slice(0, 32)).toBe(challenge.parameters.keyPrefix);
});
