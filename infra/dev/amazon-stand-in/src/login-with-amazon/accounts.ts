/**
 * The accounts on the consent page: the id that the page sends back, and the name. The last ones are named after what
 * fails, in the order of the steps of a login.
 */
export const ACCOUNTS = {
  anna: "Anna Advertiser",
  ben: "Ben Beginner",
  "code-too-old": "Account for which the code has expired",
  "token-hangs": "Account for which token responses hang",
  "token-fails": "Account for which token responses fail",
  "token-is-a-page": "Account for which token responses are HTML",
  "token-refused": "Account for which tokens are refused",
  "consent-withdrawn": "Account for which consent is withdrawn",
  "profile-refused": "Account for which the user profile is refused",
  "ads-refused": "Account for which the Ads API refuses the client",
};

export type AccountId = keyof typeof ACCOUNTS;

export function isAccountId(id: string): id is AccountId {
  return Object.hasOwn(ACCOUNTS, id);
}
