import { paths } from "@tapthru/proto/rules/paths";
import { type ComponentType, lazy, type ReactNode, useEffect } from "react";
import { Navigate, Outlet, type RouteObject, useLocation } from "react-router-dom";
import { Page, type PageProps } from "../components/ui/page.tsx";
import { LinksSkeleton } from "../features/links/list/links-skeleton.tsx";
import { useIsSignedIn, useSession } from "../features/session/session-context.tsx";
import { useChosenAccount } from "../kit/can.tsx";
import { useConfig } from "../lib/config.ts";
import { DashboardFrame } from "./dashboard-frame.tsx";
import { ErrorPage } from "./error-page.tsx";
import { Layout } from "./layout.tsx";
import { Providers, type Setup } from "./providers.tsx";
import Home from "./routes/home.tsx";
import { SectionFrame } from "./section-frame.tsx";
import { RequireSession } from "./session-guards.tsx";

interface PageRow extends Pick<PageProps, "layout" | "intro"> {
  path: string;
  /** The document's title and the heading. A page without one renders its own. */
  title?: string;
  Action?: ComponentType;
  Page: ComponentType;
  /** Its name in the frame of the account or the console. By default, the title. */
  tab?: string;
  /** About the user themselves: not in the account of another user. */
  isOwn?: true;
  /** Without it, the frame does not name the page. */
  needs?: "hasDomains" | "hasAmazonAds";
}

function from<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazy(async () => ({ default: (await load())[name] }));
}
const NotFound = lazy(() => import("./routes/not-found.tsx"));
const emailPages = () => import("./routes/email-pages.tsx");
const account = () => import("./routes/account.tsx");
const activity = () => import("../features/activity/activity.tsx");
const operator = () => import("./routes/operator/operator.tsx");

export const LINK_ROUTE = `${paths.link(":shortCode")}/:tab?`;

const SHARE: PageRow = {
  path: paths.share,
  tab: "Integrations",
  Page: lazy(() => import("./routes/share.tsx")),
};

/** The pages by who may see them, except for those of links. The last one for everyone is shown for all other paths. */
export const PAGES: Record<"everyone" | "member" | "account" | "operator", readonly PageRow[]> = {
  everyone: [
    { path: paths.home, Page: Home },
    { path: paths.login, Page: lazy(() => import("./routes/login.tsx")) },
    { path: paths.signup, Page: lazy(() => import("./routes/signup.tsx")) },
    { path: paths.resetPassword, Page: from(emailPages, "ResetPassword") },
    { path: paths.join, Page: lazy(() => import("./routes/join.tsx")) },
    {
      path: paths.confirmEmail,
      layout: "narrow",
      title: "Confirm your email",
      intro: "Confirm that this email address is yours.",
      Page: from(emailPages, "ConfirmEmail"),
    },
    { path: paths.redirect, Page: lazy(() => import("./routes/redirect.tsx")) },
    { path: paths.shared, Page: from(() => import("../features/shared-pages/shared-clicks.tsx"), "SharedClicks") },
    {
      path: paths.abuseReport,
      layout: "narrow",
      title: "Report a link",
      intro: "Report a short link that breaks the rules. Reports are anonymous.",
      Page: from(() => import("../features/abuse-reports/abuse-report-form.tsx"), "ReportAbuse"),
    },
    {
      path: paths.appOpeningStatus,
      title: "How often the Amazon app opens",
      intro:
        "On a phone a short link opens the Amazon app. Here is how often that worked, by the app in which people tapped. All links are counted together.",
      Page: from(() => import("../features/app-opening-status/app-opening-status.tsx"), "AppOpeningStatus"),
    },
    {
      path: paths.linkAudit,
      title: "Find lost commission",
      intro: "Choose what you published, and see each Amazon link in it that pays you nothing.",
      Page: from(() => import("../features/link-audit/link-audit.tsx"), "LinkAudit"),
    },
    { path: paths.privacy, Page: lazy(() => import("../features/privacy/site-policy.tsx")) },
    { path: paths.amazonAdsPrivacy, Page: lazy(() => import("../features/privacy/amazon-ads-policy.tsx")) },
    { path: "*", Page: NotFound },
  ],
  member: [
    { path: paths.clicks, title: "Clicks", Page: lazy(() => import("./routes/clicks.tsx")) },
    {
      path: paths.earnings,
      title: "Earnings",
      intro: "What your links earned, according to the Amazon reports that you imported.",
      Action: from(() => import("../features/earnings/import-reports.tsx"), "ImportReportsLink"),
      Page: from(() => import("../features/earnings/earnings.tsx"), "Earnings"),
    },
    {
      path: paths.earningsImport,
      title: "Import Amazon's reports",
      intro:
        "In Amazon's Associates Central, open Reports and download them. Nothing counts until you have seen what the file contains.",
      Page: from(() => import("../features/imports/reports/report-imports.tsx"), "ReportImports"),
    },
    {
      path: paths.import,
      title: "Import links",
      intro: "Bring your links from another service. Nothing is created until you have seen what each line becomes.",
      Page: from(() => import("../features/imports/links/link-imports.tsx"), "LinkImports"),
    },
    {
      path: paths.connect,
      layout: "narrow",
      title: "Connect a program",
      Page: lazy(() => import("./routes/connect.tsx")),
    },
    { path: paths.linkCreation, Page: lazy(() => import("./routes/link-creation.tsx")) },
  ],
  account: [
    { path: paths.account, isOwn: true, title: "Profile", Page: from(account, "ProfilePage") },
    { path: paths.security, isOwn: true, title: "Security", Page: lazy(() => import("./routes/security.tsx")) },
    {
      path: paths.stores,
      title: "Tags and channels",
      intro: "Amazon pays you by your tag, also called a tracking ID. Each of its stores gives you a different one.",
      Page: from(account, "StoresPage"),
    },
    { path: paths.domains, tab: "Domains", needs: "hasDomains", Page: from(account, "DomainsPage") },
    { path: paths.members, title: "Members", Page: from(account, "MembersPage") },
    { path: paths.notifications, title: "Notifications", tab: "Alerts", Page: from(account, "AlertsPage") },
    SHARE,
    { path: paths.developers, title: "API", Page: from(account, "ApiPage") },
    { path: paths.ownData, isOwn: true, title: "Your data", tab: "Data", Page: from(account, "OwnDataPage") },
    {
      path: paths.activity,
      title: "Activity",
      intro: "What was changed in your account, when, and by whom.",
      Page: from(activity, "OwnActivity"),
    },
    {
      path: paths.amazonAdsAuth,
      isOwn: true,
      title: "Connect Amazon Ads",
      tab: "Amazon Ads",
      intro: "Login with your Amazon account to connect your advertising data",
      needs: "hasAmazonAds",
      Page: from(account, "AmazonAdsPage"),
    },
  ],
  operator: [
    { path: paths.operator, tab: "Abuse reports", title: "Reported links", Page: from(operator, "AbuseReports") },
    { path: paths.operatorUsers, title: "Users", Page: from(operator, "UsersPage") },
    { path: paths.operatorLinks, title: "Links", Page: from(operator, "AllLinks") },
    { path: paths.operatorDomains, title: "Domains", Page: from(operator, "AllDomains") },
    {
      path: paths.operatorActivity,
      title: "Activity",
      intro:
        "What was changed in this installation, when and by whom. Rows cannot be changed or deleted here; the address is removed after 30 days.",
      Page: from(operator, "AllActivity"),
    },
    {
      path: paths.operatorSystem,
      title: "System",
      intro: "What fails, and what is off. It is updated every ten seconds.",
      Page: from(operator, "System"),
    },
    { path: paths.operatorSignUp, title: "Sign-up", Page: from(operator, "Invitations") },
  ],
};

const OPERATOR = { to: paths.operator, name: "Operator" };

function AccountFrame() {
  const config = useConfig();
  const { pathname } = useLocation();
  const { user } = useSession();
  const isOther = useChosenAccount() !== null;
  const pages = PAGES.account.filter(({ needs, isOwn }) => (!needs || config[needs]) && !(isOther && isOwn));
  if (isOther && PAGES.account.some(({ path, isOwn }) => isOwn && path === pathname))
    return <Navigate replace to={paths.members} />;

  return (
    <SectionFrame label="Your account" tabs={[...pages.map(tabOf), ...(user?.isOperator ? [OPERATOR] : [])]}>
      <Outlet />
    </SectionFrame>
  );
}

function OperatorFrame() {
  if (!useSession().user?.isOperator) return <NotFound />;
  return (
    <SectionFrame label="For operators" tabs={PAGES.operator.map(tabOf)}>
      <Outlet />
    </SectionFrame>
  );
}

/** The guide is a page of the account, and one for guests. */
function ShareFrame() {
  return useIsSignedIn() ? <AccountFrame /> : <Outlet />;
}

const tabOf = ({ path, title = "", tab = title }: PageRow) => ({ to: path, name: tab });

function below(element: ReactNode, pages: readonly PageRow[], layout?: "section"): RouteObject {
  return {
    element,
    children: pages.map((row) => ({ path: row.path, element: <PageOf key={row.path} layout={layout} {...row} /> })),
  };
}

function PageOf({ Page: Content, Action, title, intro, layout }: PageRow) {
  if (title === undefined) return <Content />;
  return (
    <Page title={title} intro={intro} layout={layout} action={Action && <Action />}>
      <Content />
    </Page>
  );
}

function requireMember(children: ReactNode) {
  return <RequireSession signedOutTo={paths.login}>{children}</RequireSession>;
}

const ROUTES: RouteObject[] = [
  below(<Outlet />, PAGES.everyone),
  below(
    <DashboardFrame>
      <RequireSession signedOutTo={paths.home} failedTo={paths.home} fallback={<LinksSkeleton />}>
        <Outlet />
      </RequireSession>
    </DashboardFrame>,
    [{ path: paths.dashboard, Page: lazy(() => import("./routes/dashboard.tsx")) }],
  ),
  below(
    <RequireSession signedOutTo={paths.login} failedTo={paths.home}>
      <Outlet />
    </RequireSession>,
    [{ path: LINK_ROUTE, Page: lazy(() => import("./routes/link-detail.tsx")) }],
  ),
  below(requireMember(<Outlet />), PAGES.member),
  // The first of two routes with a path is shown.
  below(<ShareFrame />, [SHARE]),
  below(requireMember(<AccountFrame />), PAGES.account, "section"),
  below(requireMember(<OperatorFrame />), PAGES.operator, "section"),
];

/** The routes of the site. The browser and the build render the same tree, because ids depend on it. */
export const routesOf = (setup: Setup) => [
  {
    element: (
      <Providers {...setup}>
        <Start />
        <Layout />
      </Providers>
    ),
    errorElement: (
      <main className="flex min-h-dvh flex-col">
        <ErrorPage />
      </main>
    ),
    children: [{ errorElement: <ErrorPage />, children: ROUTES }],
  },
];

/** Removes the styles that apply to the prerendered page until the application has started. */
function Start() {
  useEffect(() => {
    document.querySelector("[data-prerendered]")?.removeAttribute("data-prerendered");
  }, []);
  return null;
}
