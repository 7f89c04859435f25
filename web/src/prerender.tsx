import type { PublicConfig } from "@tapthru/proto/public-config";
import { prerender } from "react-dom/static";
import { StaticRouter } from "react-router-dom";
import { App } from "./app/app.tsx";

/** Renders a page as the application first renders it, for the build (web/prerendered-pages.ts). */
export async function prerenderPage(path: string, config: PublicConfig): Promise<string> {
  const { prelude } = await prerender(
    <App config={config} router={(routes) => <StaticRouter location={path}>{routes}</StaticRouter>} />,
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
