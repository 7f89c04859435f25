import { QueryClientProvider } from "@tanstack/react-query";
import { paths } from "@tapthru/proto/rules/paths";
import { act, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, Outlet, RouterProvider, useNavigate } from "react-router-dom";
import { onTestFinished } from "vitest";
import { DashboardFrame } from "../app/dashboard-frame.tsx";
import { LINK_ROUTE, PAGES } from "../app/pages.tsx";
import { StoresPage } from "../app/routes/account.tsx";
import ClicksPage from "../app/routes/clicks.tsx";
import Dashboard from "../app/routes/dashboard.tsx";
import LinkCreation from "../app/routes/link-creation.tsx";
import LinkDetail from "../app/routes/link-detail.tsx";
import { UnsavedTextGuard } from "../app/unsaved-text-guard.tsx";
import { Page } from "../components/ui/page.tsx";
import { Toaster } from "../components/ui/toaster.tsx";
import { Earnings } from "../features/earnings/earnings.tsx";
import { ImportReportsLink } from "../features/earnings/import-reports.tsx";
import { LinkImports } from "../features/imports/links/link-imports.tsx";
import { ReportImports } from "../features/imports/reports/report-imports.tsx";
import { setApiAuth } from "../lib/api-auth.ts";
import { ConfigContext } from "../lib/config.ts";
import { createQueryClient } from "../lib/http/query-client.ts";
import { config } from "./render-app.tsx";

const DASHBOARD = (
  <DashboardFrame>
    <Dashboard />
  </DashboardFrame>
);

const SIGNED_IN = {
  headers: async () => ({ Authorization: "Bearer token" }),
  renew: async () => false,
  keepLink: async () => {},
};

/** Renders the link pages of a user without their route guard. The last of the visited paths is shown. */
export async function renderPages(...visited: string[]) {
  const queryClient = createQueryClient();
  onTestFinished(setApiAuth(SIGNED_IN));
  const pages = [
    titled(paths.clicks, <ClicksPage />),
    { path: paths.dashboard, element: DASHBOARD },
    titled(paths.earnings, <Earnings />, <ImportReportsLink />),
    titled(paths.earningsImport, <ReportImports />),
    titled(paths.import, <LinkImports />),
    { path: paths.linkCreation, element: <LinkCreation /> },
    { path: LINK_ROUTE, element: <LinkDetail /> },
    { path: paths.stores, element: <StoresPage /> },
  ];
  const router = createMemoryRouter([{ element: <Frame />, children: pages }], { initialEntries: visited });
  await act(async () =>
    render(
      <QueryClientProvider client={queryClient}>
        <ConfigContext value={config}>
          <Toaster>
            <RouterProvider router={router} />
          </Toaster>
        </ConfigContext>
      </QueryClientProvider>,
    ),
  );
  return queryClient;
}

/** As in the table of pages, with the content that is not loaded later. */
function titled(path: string, content: ReactNode, action?: ReactNode) {
  const { title = "", intro } = PAGES.member.find((row) => row.path === path) ?? {};
  const page = (
    <Page title={title} intro={intro} action={action}>
      {content}
    </Page>
  );
  return { path, element: page };
}

function Frame() {
  const navigate = useNavigate();
  return (
    <UnsavedTextGuard>
      <button type="button" onClick={() => navigate(-1)}>
        Browser's back
      </button>
      <Outlet />
    </UnsavedTextGuard>
  );
}
