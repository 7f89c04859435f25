/** The step at which an account's login fails, in the order of the steps. */
type AccountFault =
  | "the code has expired"
  | "token responses hang"
  | "token responses fail"
  | "token responses are HTML"
  | "tokens are refused"
  | "consent is withdrawn"
  | "the user profile is refused"
  | "the Ads API refuses the client";

export interface AmazonAccount {
  name: string;
  email: string;
  hasProfiles: boolean;
  fault: AccountFault | null;
}

/** The accounts on the consent page, by the id that the page sends back. */
export const AMAZON_ACCOUNTS: Readonly<Record<string, AmazonAccount>> = {
  anna: account("Anna Advertiser"),
  ben: account("Ben Beginner", { hasProfiles: false }),
  "code-too-old": accountWithFault("the code has expired"),
  "token-hangs": accountWithFault("token responses hang"),
  "token-fails": accountWithFault("token responses fail"),
  "token-is-a-page": accountWithFault("token responses are HTML"),
  "token-refused": accountWithFault("tokens are refused"),
  "consent-withdrawn": accountWithFault("consent is withdrawn"),
  "profile-refused": accountWithFault("the user profile is refused"),
  "ads-refused": accountWithFault("the Ads API refuses the client"),
};

function account(name: string, changes: Partial<AmazonAccount> = {}): AmazonAccount {
  const email = `${name.toLowerCase().replaceAll(" ", ".")}@amazon.example`;
  return { name, email, hasProfiles: true, fault: null, ...changes };
}

function accountWithFault(fault: AccountFault): AmazonAccount {
  return account(`Account for which ${fault}`, { email: "fault@amazon.example", fault });
}
