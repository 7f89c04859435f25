import type { PublicConfig } from "@tapthru/proto/http/public-config";
import { prerender } from "react-dom/static";
import { StaticRouter } from "react-router-dom";
import { App } from "./app/app.tsx";
import { paths } from "./app/paths.ts";

/** Renders the start page as a visitor first sees it, for the build (web/prerendered-home.ts). */
export async function prerenderHome(config: PublicConfig): Promise<string> {
  const { prelude } = await prerender(
    <App
      config={config}
      router={(routes) => <StaticRouter location={paths.home}>{routes}</StaticRouter>}
    />,
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
