import type { CALLS } from "../http/calls.ts";
import { accountsDocumentation } from "./accounts.ts";
import { activityDocumentation } from "./activity.ts";
import { amazonAdsDocumentation } from "./amazon-ads.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import { channelsDocumentation } from "./channels.ts";
import { clicksDocumentation } from "./clicks.ts";
import { createLinksDocumentation } from "./create-links.ts";
import { digestDocumentation } from "./digest.ts";
import { domainsDocumentation } from "./domains.ts";
import { earningsDocumentation } from "./earnings.ts";
import { earningsImportsDocumentation } from "./earnings-imports.ts";
import { exportDocumentation } from "./export.ts";
import { importsDocumentation } from "./imports.ts";
import { keysDocumentation } from "./keys.ts";
import { labelsDocumentation } from "./labels.ts";
import { linksDocumentation } from "./links.ts";
import { operatorDocumentation } from "./operator.ts";
import { pagesDocumentation } from "./pages.ts";
import { patternsDocumentation } from "./patterns.ts";
import { routingDocumentation } from "./routing.ts";
import { sessionsDocumentation } from "./sessions.ts";
import { storesDocumentation } from "./stores.ts";
import { webhooksDocumentation } from "./webhooks.ts";

/** What the OpenAPI document says about each call. */
export const DOCUMENTATION: DocumentationOf<typeof CALLS> = {
  ...accountsDocumentation,
  ...activityDocumentation,
  ...amazonAdsDocumentation,
  ...channelsDocumentation,
  ...clicksDocumentation,
  ...createLinksDocumentation,
  ...digestDocumentation,
  ...domainsDocumentation,
  ...earningsImportsDocumentation,
  ...earningsDocumentation,
  ...exportDocumentation,
  ...importsDocumentation,
  ...keysDocumentation,
  ...labelsDocumentation,
  ...linksDocumentation,
  ...operatorDocumentation,
  ...pagesDocumentation,
  ...patternsDocumentation,
  ...routingDocumentation,
  ...sessionsDocumentation,
  ...storesDocumentation,
  ...webhooksDocumentation,
};
