import { QueryClientProvider } from "@tanstack/react-query";
import { act, render } from "@testing-library/react";
import { createMemoryRouter, Outlet, RouterProvider, useNavigate } from "react-router-dom";
import { onTestFinished } from "vitest";
import { DashboardFrame } from "../app/dashboard-frame.tsx";
import { LINK_ROUTE, paths } from "../app/paths.ts";
import { StoresPage } from "../app/routes/account.tsx";
import ClicksPage from "../app/routes/clicks.tsx";
import Dashboard from "../app/routes/dashboard.tsx";
import EarningsPage from "../app/routes/earnings.tsx";
import EarningsImportPage from "../app/routes/earnings-import.tsx";
import ImportPage from "../app/routes/import.tsx";
import LinkCreation from "../app/routes/link-creation.tsx";
import LinkDetail from "../app/routes/link-detail.tsx";
import { UnsavedTextGuard } from "../app/unsaved-text-guard.tsx";
import { Toaster } from "../components/ui/toaster.tsx";
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
    { path: paths.clicks, element: <ClicksPage /> },
    { path: paths.dashboard, element: DASHBOARD },
    { path: paths.earnings, element: <EarningsPage /> },
    { path: paths.earningsImport, element: <EarningsImportPage /> },
    { path: paths.import, element: <ImportPage /> },
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
