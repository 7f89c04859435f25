import type { PublicConfig } from "@tapthru/proto/public-config";
import { StrictMode } from "react";
import { prerender } from "react-dom/static";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { routesOf } from "./app/pages.tsx";

/** Renders a page as the application first renders it, for the build (web/prerendered-pages.ts). */
export async function prerenderPage(path: string, config: PublicConfig): Promise<string> {
  const router = createMemoryRouter(routesOf({ config }), { initialEntries: [path], hydrationData: {} });
  const { prelude } = await prerender(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
    {
      // By default, React moves large parts into place with inline scripts.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        throw error;
      },
    },
  );
  return new Response(prelude).text();
}
