import { act, render } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { Providers } from "../app/providers.tsx";
import { AppRoutes } from "../app/router.tsx";

const config = { publicBaseUrl: "https://tapthru.example", productName: "Tapthru" };

/** The whole app at one path, its first data in place. */
export async function renderApp(path = "/") {
  await act(async () =>
    render(
      <Providers config={Promise.resolve(config)}>
        <MemoryRouter initialEntries={[path]}>
          <AppRoutes />
        </MemoryRouter>
      </Providers>,
    ),
  );
}
