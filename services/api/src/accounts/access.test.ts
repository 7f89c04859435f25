import { ERRORS } from "@tapthru/proto/errors";
import { describe } from "vitest";
import { checkAccess } from "../testing/access-checks.ts";
import { createAccount, deleteAccount, revokeTokens } from "../testing/test-accounts.ts";
import { startTestApi } from "../testing/test-api.ts";

describe("the api with the built-in identity provider", () => {
  checkAccess({
    startApi: startTestApi,
    createAccount,
    proofOf: ({ login }) => login,
    ended: ERRORS["login-required"].message,
    ends: [
      ["revoked", revokeTokens],
      ["deleted", deleteAccount],
    ],
  });
});
