/** The accounts on the consent page: the id that the page sends back, and the name. All but the first are named after what fails. */
export const ACCOUNTS = {
  anna: "Anna Advertiser",
  "token-hangs": "Account for which token responses hang",
  "token-is-a-page": "Account for which token responses are HTML",
  "token-refused": "Account for which tokens are refused",
  "profile-refused": "Account for which the user profile is refused",
  "no-attribution": "Account without Amazon Attribution",
  "consent-revoked": "Account that has withdrawn its consent",
  "ads-throttled": "Account for which reports are throttled",
  "ads-endless": "Account for which reports never end",
};

export type AccountId = keyof typeof ACCOUNTS;

export function isAccountId(id: string): id is AccountId {
  return Object.hasOwn(ACCOUNTS, id);
}
