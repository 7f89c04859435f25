import { describe } from "vitest";
import { checkAccess } from "../../testing/access-checks.ts";
import {
  createAccount,
  deleteAccount,
  disableAccount,
  EMULATOR_HOST,
  revokeTokens,
  startFirebaseApi,
} from "../../testing/firebase-accounts.ts";

describe.skipIf(EMULATOR_HOST === "")("the api with Firebase", () => {
  checkAccess({
    checksSignatures: false,
    startApi: () => startFirebaseApi(EMULATOR_HOST),
    createAccount,
    ends: [
      ["revoked", (_api, account) => revokeTokens(account)],
      ["disabled", (_api, account) => disableAccount(account)],
      ["deleted", (_api, account) => deleteAccount(account)],
    ],
  });
});
