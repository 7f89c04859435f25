const TEST = "[.](test|docker)[.]tsx?$|/testing/";

const inServices = (names) => `^services/.+/(${names})[.]ts$`;

/**
 * The upper layers of a service, highest first: main → server → app → routes. Only higher layers import
 * them, so use cases, queries and stores never do.
 */
const LAYERS = ["main", "server", "app", "routes|registry|schedule"];

const upwardImportRules = LAYERS.map((names, index) => ({
  name: `no-import-upward-to-${names.replaceAll("|", "-")}`,
  severity: "error",
  from: {
    path: "^services/",
    pathNot: [...LAYERS.slice(0, index).map(inServices), TEST],
  },
  // The worker has types there.
  to: { path: inServices(names), pathNot: "^services/worker/src/app[.]ts$" },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    { name: "no-cycle", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-missing-module",
      comment: "k6 has its modules built in.",
      severity: "error",
      from: { pathNot: "^infra/load/" },
      to: { couldNotResolve: true },
    },
    {
      name: "no-test-imported",
      severity: "error",
      comment:
        "Commands that start a stack use the free ports of tests. Fault tests use their proxies, browser tests the figures.",
      from: {
        pathNot: [TEST, "^infra/dev/(faults|stack)/", "^web/e2e/"],
      },
      to: { path: TEST, pathNot: "node_modules" },
    },
    {
      name: "services-never-import-each-other",
      severity: "error",
      from: { path: "^services/([^/]+)/" },
      to: { path: "^services/(?!$1/|core/)" },
    },
    ...upwardImportRules,
    {
      name: "context-only-at-the-top",
      comment: "A use case depends on what it uses, never on the whole context.",
      severity: "error",
      from: { path: "^services/", pathNot: ["/(main|server|app|api|context)\\.ts$", TEST] },
      to: { path: "^services/[^/]+/src/context\\.ts$" },
    },
    {
      name: "proto-imports-only-zod-mini",
      severity: "error",
      from: { path: "^proto/", pathNot: TEST },
      to: { pathNot: ["^proto/", "zod/(v4/)?mini"] },
    },
    {
      name: "core-imports-only-proto",
      severity: "error",
      from: { path: "^services/core/", pathNot: TEST },
      to: { path: ["^services/(?!core/)", "^web/", "^infra/"] },
    },
    {
      name: "platform-imports-no-domain",
      severity: "error",
      from: { path: "^services/core/src/platform/", pathNot: TEST },
      to: { path: "^services/core/src/(?!platform/)" },
    },
    {
      name: "redirect-imports-only-the-platform",
      comment: "And the outbox, which it tails.",
      severity: "error",
      from: { path: "^services/redirect/", pathNot: TEST },
      to: { path: "^services/core/src/(?!platform/|outbox[.]ts$)" },
    },
    {
      name: "infra-never-imports-services-or-web",
      severity: "error",
      comment: "A service is started as a process.",
      from: { path: "^infra/" },
      to: { path: ["^services/(?!core/)", "^web/"] },
    },
    {
      name: "tools-never-import-each-other",
      comment: "What they share is in the stack. The stand-in is a server for all of them.",
      severity: "error",
      from: { path: "^infra/dev/([^/]+)/" },
      to: { path: "^infra/dev/(?!$1/|stack/|amazon-stand-in/)" },
    },
    {
      name: "services-import-only-core-and-proto",
      severity: "error",
      from: { path: "^services/", pathNot: TEST },
      to: { path: ["^infra/", "^web/"] },
    },
    {
      name: "internet-only-through-safe-fetch",
      comment: "Only services/core/src/platform/safe-fetch sends requests to the internet.",
      severity: "error",
      from: {
        path: "^(proto|services)/",
        pathNot: ["^services/core/src/platform/safe-fetch/", TEST],
      },
      to: {
        path: ["(^|/)undici/", "^(node:)?(https|http2)$", "(^|/)(axios|got|ky|node-fetch)/"],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "api-never-reaches-page-parsers",
      severity: "error",
      from: { path: "^services/api/src/main[.]ts$" },
      to: { path: "(cheerio|parse5|htmlparser2)", reachable: true },
    },
    {
      name: "worker-never-reaches-sign-in",
      severity: "error",
      from: { path: "^services/worker/src/main[.]ts$" },
      to: { path: "(better-auth|firebase-admin)", reachable: true },
    },
    {
      name: "web-imports-only-proto",
      severity: "error",
      from: { path: "^web/" },
      to: { path: ["^services/", "^infra/"] },
    },
    {
      name: "web-features-never-import-app",
      severity: "error",
      from: { path: "^web/src/(features|kit|components|lib)/" },
      to: { path: "^web/src/(app/|main)" },
    },
    {
      name: "web-features-import-each-other-through-index",
      severity: "error",
      from: { path: "^web/src/features/([^/]+)/", pathNot: TEST },
      to: { path: "^web/src/features/(?!$1/)(?!([^/]+)/index[.]ts$)" },
    },
    {
      name: "web-lib-and-components-never-import-features",
      severity: "error",
      from: { path: "^web/src/(kit|components|lib)/" },
      to: { path: "^web/src/features/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(?!node_modules).*(^|/)(dist|\\.data|generated)/" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "default"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".json"],
    },
  },
};
