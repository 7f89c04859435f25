/** What goes wrong with an account's login; in the order in which it would be noticed. */
type AccountTrouble =
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
  trouble: AccountTrouble | null;
}

/** Who may sign in on the consent page, by the id that the page sends back. */
export const AMAZON_ACCOUNTS: Readonly<Record<string, AmazonAccount>> = {
  anna: account("Anna Advertiser"),
  ben: account("Ben Beginner", { hasProfiles: false }),
  "code-too-old": troubled("its code is too old"),
  "token-hangs": troubled("token answers hang"),
  "token-fails": troubled("token answers fail"),
  "token-is-a-page": troubled("token answers are a page"),
  "token-refused": troubled("tokens are refused"),
  "consent-withdrawn": troubled("its consent is withdrawn"),
  "profile-refused": troubled("its user profile is refused"),
  "ads-refused": troubled("the Ads API refuses the client"),
};

function account(name: string, changes: Partial<AmazonAccount> = {}): AmazonAccount {
  const email = `${name.toLowerCase().replaceAll(" ", ".")}@amazon.example`;
  return { name, email, hasProfiles: true, trouble: null, ...changes };
}

function troubled(trouble: AccountTrouble): AmazonAccount {
  return account(`Account of whom ${trouble}`, { email: "trouble@amazon.example", trouble });
}
