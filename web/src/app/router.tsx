import { lazy } from "react";
import { Outlet, Route, Routes } from "react-router-dom";
import { LinksSkeleton } from "../features/links/list/links-skeleton.tsx";
import { DashboardFrame } from "./dashboard-frame.tsx";
import { Layout } from "./layout.tsx";
import { LINK_ROUTE, paths } from "./paths.ts";
import Home from "./routes/home.tsx";
import { RequireSession } from "./session-guards.tsx";

const Account = lazy(() => import("./routes/account.tsx"));
const AccountFrame = lazy(() => import("./account-frame.tsx"));
const ActivityPage = lazy(() => import("./routes/activity.tsx"));
const AmazonAdsAuth = lazy(() => import("./routes/amazon-ads-auth.tsx"));
const AmazonAdsPolicy = lazy(() => import("../features/privacy/amazon-ads-policy.tsx"));
const AppOpeningStatusPage = lazy(() => import("./routes/app-opening-status.tsx"));
const ClicksPage = lazy(() => import("./routes/clicks.tsx"));
const ConfirmEmail = lazy(() => import("./routes/confirm-email.tsx"));
const Dashboard = lazy(() => import("./routes/dashboard.tsx"));
const DomainsPage = lazy(() => import("./routes/domains.tsx"));
const Developers = lazy(() => import("./routes/developers.tsx"));
const EarningsImportPage = lazy(() => import("./routes/earnings-import.tsx"));
const EarningsPage = lazy(() => import("./routes/earnings.tsx"));
const ImportPage = lazy(() => import("./routes/import.tsx"));
const LinkCreation = lazy(() => import("./routes/link-creation.tsx"));
const LinkDetail = lazy(() => import("./routes/link-detail.tsx"));
const Login = lazy(() => import("./routes/login.tsx"));
const NotFound = lazy(() => import("./routes/not-found.tsx"));
const OperatorPages = lazy(() => import("./operator-pages.tsx"));
const OwnDataPage = lazy(() => import("./routes/own-data.tsx"));
const Privacy = lazy(() => import("./routes/privacy.tsx"));
const Redirect = lazy(() => import("./routes/redirect.tsx"));
const Report = lazy(() => import("./routes/report.tsx"));
const ResetPassword = lazy(() => import("./routes/reset-password.tsx"));
const Security = lazy(() => import("./routes/security.tsx"));
const Share = lazy(() => import("./routes/share.tsx"));
const Signup = lazy(() => import("./routes/signup.tsx"));
const StoresPage = lazy(() => import("./routes/stores.tsx"));

export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Layout />}>
        <Route path={paths.home} element={<Home />} />
        <Route path={paths.login} element={<Login />} />
        <Route path={paths.signup} element={<Signup />} />
        <Route path={paths.resetPassword} element={<ResetPassword />} />
        <Route path={paths.confirmEmail} element={<ConfirmEmail />} />
        <Route
          path={paths.dashboard}
          element={
            <DashboardFrame>
              <RequireSession signedOutTo={paths.home} failedTo={paths.home} fallback={<LinksSkeleton />}>
                <Dashboard />
              </RequireSession>
            </DashboardFrame>
          }
        />
        <Route
          element={
            <RequireSession signedOutTo={paths.login}>
              <Outlet />
            </RequireSession>
          }
        >
          <Route path={paths.clicks} element={<ClicksPage />} />
          <Route path={paths.earnings} element={<EarningsPage />} />
          <Route path={paths.earningsImport} element={<EarningsImportPage />} />
          <Route path={paths.import} element={<ImportPage />} />
          <Route path={paths.linkCreation} element={<LinkCreation />} />
          <Route path={`${paths.operator}/*`} element={<OperatorPages />} />
          <Route
            element={
              <AccountFrame>
                <Outlet />
              </AccountFrame>
            }
          >
            <Route path={paths.account} element={<Account />} />
            <Route path={paths.security} element={<Security />} />
            <Route path={paths.stores} element={<StoresPage />} />
            <Route path={paths.domains} element={<DomainsPage />} />
            <Route path={paths.developers} element={<Developers />} />
            <Route path={paths.activity} element={<ActivityPage />} />
            <Route path={paths.ownData} element={<OwnDataPage />} />
            <Route path={paths.amazonAdsAuth} element={<AmazonAdsAuth />} />
          </Route>
        </Route>
        <Route
          path={LINK_ROUTE}
          element={
            <RequireSession signedOutTo={paths.login} failedTo={paths.home}>
              <LinkDetail />
            </RequireSession>
          }
        />
        <Route path={paths.redirect} element={<Redirect />} />
        <Route path={paths.share} element={<Share />} />
        <Route path={paths.report} element={<Report />} />
        <Route path={paths.appOpeningStatus} element={<AppOpeningStatusPage />} />
        <Route path={paths.privacy} element={<Privacy />} />
        <Route path={paths.amazonAdsPrivacy} element={<AmazonAdsPolicy />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}
