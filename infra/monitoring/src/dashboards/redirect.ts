import { counterRate, type Dashboard, quantile, ratio } from "./dashboard.ts";

const REDIRECTS = "tapthru_redirects_total";
const OUTCOMES = "tapthru_app_opening_outcomes_total";

export const REDIRECT: Dashboard = {
  uid: "tapthru-redirect",
  title: "Redirect",
  panels: [
    {
      title: "Visits by response",
      unit: "reqps",
      queries: [{ expr: counterRate("reply", REDIRECTS), legend: "{{reply}}" }],
    },
    {
      title: "Visits by device",
      unit: "reqps",
      queries: [{ expr: counterRate("device", REDIRECTS), legend: "{{device}}" }],
    },
    {
      title: "Source of the link",
      unit: "percentunit",
      note: "l1 is the memory of a replica.",
      queries: [
        {
          expr: `${counterRate("source", REDIRECTS)} / ignoring (source) group_left sum(rate(${REDIRECTS}[$__rate_interval]))`,
          legend: "{{source}}",
        },
      ],
    },
    {
      title: "Request duration by status, p99",
      unit: "s",
      queries: [{ expr: quantile(0.99, "status", 'route="/l/:code"'), legend: "{{status}}" }],
    },
    {
      title: "Links in memory",
      unit: "short",
      queries: [{ expr: "tapthru_redirect_cache_links", legend: "{{instance}}" }],
    },
    {
      title: "Memory of links",
      unit: "bytes",
      note: "The maximum, LINK_CACHE_BYTES, is also for rendered pages.",
      queries: [
        { expr: "tapthru_redirect_cache_bytes", legend: "{{instance}}" },
        { expr: "max(tapthru_redirect_cache_max_bytes)", legend: "maximum" },
      ],
    },
    {
      title: "Lag of the change tail",
      unit: "s",
      note: "Normally every replica reads a change within a second.",
      queries: [{ expr: "tapthru_redirect_changes_lag_seconds", legend: "{{instance}}" }],
    },
    {
      title: "Age of the standby",
      unit: "s",
      note: "Links are read from the standby up to 5 s.",
      onlyWith: "DATABASE_READ_URL",
      queries: [{ expr: "tapthru_redirect_standby_age_seconds", legend: "{{instance}}" }],
    },
    {
      title: "Links read from the standby",
      unit: "none",
      note: "1 if a replica reads links from the standby, 0 if it reads them from the primary only.",
      onlyWith: "DATABASE_READ_URL",
      queries: [{ expr: "tapthru_redirect_standby_used", legend: "{{instance}}" }],
    },
    {
      title: "Clock offset from Postgres",
      unit: "s",
      queries: [{ expr: "tapthru_redirect_clock_ahead_seconds", legend: "{{instance}}" }],
    },
    {
      title: "Share of pages whose app opened, by strategy",
      unit: "percentunit",
      note: "On Android the store or a web page may have opened instead.",
      queries: [
        {
          expr: ratio(
            counterRate("row", `${OUTCOMES}{outcome!="stayed"}`),
            counterRate("row", OUTCOMES),
          ),
          legend: "{{row}}",
        },
      ],
    },
    {
      title: "Reported outcomes",
      unit: "ops",
      queries: [{ expr: counterRate("os, outcome", OUTCOMES), legend: "{{os}} {{outcome}}" }],
    },
    {
      title: "Strategy tables in use",
      unit: "none",
      queries: [
        { expr: "count by (version) (tapthru_app_opening_table_info)", legend: "{{version}}" },
      ],
    },
    {
      title: "Rejected strategy tables",
      unit: "none",
      queries: [
        {
          expr: "sum(increase(tapthru_app_opening_table_refusals_total[1h]))",
          legend: "last hour",
        },
      ],
    },
  ],
};
