import { QueryClientProvider } from "@tanstack/react-query";
import { act, render } from "@testing-library/react";
import { MemoryRouter, Route, Routes, useNavigate } from "react-router-dom";
import { DashboardFrame } from "../app/dashboard-frame.tsx";
import { LINK_ROUTE, paths } from "../app/paths.ts";
import ClicksPage from "../app/routes/clicks.tsx";
import Dashboard from "../app/routes/dashboard.tsx";
import EarningsPage from "../app/routes/earnings.tsx";
import EarningsImportPage from "../app/routes/earnings-import.tsx";
import ImportPage from "../app/routes/import.tsx";
import LinkCreation from "../app/routes/link-creation.tsx";
import LinkDetail from "../app/routes/link-detail.tsx";
import StoresPage from "../app/routes/stores.tsx";
import { Toaster } from "../components/ui/toaster.tsx";
import { ConfigContext } from "../lib/config.ts";
import { createQueryClient } from "../lib/http/query-client.ts";
import { config } from "./render-app.tsx";

/** Renders the link pages without their route guard. The last of the visited paths is shown. */
export async function renderPages(...visited: string[]) {
  const queryClient = createQueryClient();
  await act(async () =>
    render(
      <QueryClientProvider client={queryClient}>
        <ConfigContext value={config}>
          <Toaster>
            <MemoryRouter initialEntries={visited}>
              <BrowserBack />
              <Routes>
                <Route path={paths.clicks} element={<ClicksPage />} />
                <Route
                  path={paths.dashboard}
                  element={
                    <DashboardFrame>
                      <Dashboard />
                    </DashboardFrame>
                  }
                />
                <Route path={paths.earnings} element={<EarningsPage />} />
                <Route path={paths.earningsImport} element={<EarningsImportPage />} />
                <Route path={paths.import} element={<ImportPage />} />
                <Route path={paths.linkCreation} element={<LinkCreation />} />
                <Route path={LINK_ROUTE} element={<LinkDetail />} />
                <Route path={paths.stores} element={<StoresPage />} />
              </Routes>
            </MemoryRouter>
          </Toaster>
        </ConfigContext>
      </QueryClientProvider>,
    ),
  );
  return queryClient;
}

function BrowserBack() {
  const navigate = useNavigate();
  return (
    <button type="button" onClick={() => navigate(-1)}>
      Browser's back
    </button>
  );
}
