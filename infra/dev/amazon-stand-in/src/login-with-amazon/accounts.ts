/** What goes wrong with an account's login; in the order in which it would be noticed. */
type AccountFault =
  | "its code is too old"
  | "token answers hang"
  | "token answers fail"
  | "token answers are a page"
  | "tokens are refused"
  | "its consent is withdrawn"
  | "its user profile is refused"
  | "the Ads API refuses the client";

export interface AmazonAccount {
  name: string;
  email: string;
  hasProfiles: boolean;
  fault: AccountFault | null;
}

/** Who may sign in on the consent page, by the id that the page sends back. */
export const AMAZON_ACCOUNTS: Readonly<Record<string, AmazonAccount>> = {
  anna: account("Anna Advertiser"),
  ben: account("Ben Beginner", { hasProfiles: false }),
  "code-too-old": accountWithFault("its code is too old"),
  "token-hangs": accountWithFault("token answers hang"),
  "token-fails": accountWithFault("token answers fail"),
  "token-is-a-page": accountWithFault("token answers are a page"),
  "token-refused": accountWithFault("tokens are refused"),
  "consent-withdrawn": accountWithFault("its consent is withdrawn"),
  "profile-refused": accountWithFault("its user profile is refused"),
  "ads-refused": accountWithFault("the Ads API refuses the client"),
};

function account(name: string, changes: Partial<AmazonAccount> = {}): AmazonAccount {
  const email = `${name.toLowerCase().replaceAll(" ", ".")}@amazon.example`;
  return { name, email, hasProfiles: true, fault: null, ...changes };
}

function accountWithFault(fault: AccountFault): AmazonAccount {
  return account(`Account of whom ${fault}`, { email: "trouble@amazon.example", fault });
}
