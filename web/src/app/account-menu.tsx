import { paths } from "@tapthru/proto/rules/paths";
import { buttonClass } from "../components/ui/button.tsx";
import { NavigationLink } from "../components/ui/links.tsx";
import { useSession } from "../features/session/session-context.tsx";
import { useMay } from "../kit/may.tsx";

const DASHBOARD = { to: paths.dashboard, label: "Dashboard", alsoOf: paths.link("") };
const LINK_PAGES = [
  { to: paths.clicks, label: "Clicks" },
  { to: paths.earnings, label: "Earnings" },
  { to: paths.import, label: "Import" },
] as const;

const ACCOUNT = { to: paths.account, label: "Account", alsoOf: `${paths.account}/` };
const ACCOUNT_PAGES = [ACCOUNT, { to: paths.stores, label: "Tags and channels" }];
const OPERATOR = { to: paths.operator, label: "Operator", alsoOf: `${paths.operator}/` };

function useAccountPages() {
  const { user } = useSession();
  return user?.isOperator ? [...ACCOUNT_PAGES, OPERATOR] : ACCOUNT_PAGES;
}

/** The pages about links. Viewers import nothing. */
function useLinkPages() {
  const mayImport = useMay("POST /api/links/bulk");
  return LINK_PAGES.filter(({ to }) => mayImport || to !== paths.import);
}

/** Links to the user's pages in the bar of wide screens. The first is known last: it moves no other; a narrow bar has no room for it. */
export function BarLinks() {
  const { user } = useSession();
  const linkPages = useLinkPages();
  return (
    <>
      {user?.isOperator && <div className="hidden @operator-bar:block">{pageLink(OPERATOR)}</div>}
      {pageLink(DASHBOARD)}
      {linkPages.map(pageLink)}
      {pageLink(ACCOUNT)}
    </>
  );
}

export function MenuLinks() {
  return [DASHBOARD, ...useLinkPages(), ...useAccountPages()].map(pageLink);
}

function pageLink({ to, label, alsoOf }: { to: string; label: string; alsoOf?: string }) {
  return (
    <NavigationLink key={to} to={to} alsoOf={alsoOf} className={buttonClass("place", "bar")}>
      {label}
    </NavigationLink>
  );
}

export function AccountName() {
  const { user } = useSession();
  if (!user) return null;
  return (
    <div className="min-w-0 wrap-anywhere">
      <p dir="auto" className="line-clamp-2 text-left font-medium">
        {user.username}
      </p>
      <p className="line-clamp-2 text-sm text-muted">{user.email}</p>
    </div>
  );
}
