import { counterRate, type Dashboard, quantile, share } from "./dashboard.ts";

const REDIRECTS = "tapthru_redirects_total";
const OUTCOMES = "tapthru_app_opening_outcomes_total";

export const REDIRECT: Dashboard = {
  uid: "tapthru-redirect",
  title: "Redirect",
  panels: [
    {
      title: "What was answered",
      unit: "reqps",
      queries: [{ expr: counterRate("reply", REDIRECTS), legend: "{{reply}}" }],
    },
    {
      title: "To whom",
      unit: "reqps",
      queries: [{ expr: counterRate("device", REDIRECTS), legend: "{{device}}" }],
    },
    {
      title: "Who knew the link",
      unit: "percentunit",
      note: "l1 is a replica's own memory.",
      queries: [
        {
          expr: `${counterRate("source", REDIRECTS)} / ignoring (source) group_left sum(rate(${REDIRECTS}[$__rate_interval]))`,
          legend: "{{source}}",
        },
      ],
    },
    {
      title: "Time to answer, by status",
      unit: "s",
      queries: [
        { expr: quantile(0.99, "status", 'route="/l/:code"'), legend: "{{status}}, 99 % within" },
      ],
    },
    {
      title: "Links in memory",
      unit: "short",
      queries: [{ expr: "tapthru_redirect_cache_links", legend: "{{instance}}" }],
    },
    {
      title: "Memory that they take",
      unit: "bytes",
      queries: [{ expr: "tapthru_redirect_cache_bytes", legend: "{{instance}}" }],
    },
    {
      title: "Since changes were read",
      unit: "s",
      note: "A change is seen by every replica within a second.",
      queries: [{ expr: "tapthru_redirect_changes_lag_seconds", legend: "{{instance}}" }],
    },
    {
      title: "Clock ahead of Postgres's",
      unit: "s",
      queries: [{ expr: "tapthru_redirect_clock_ahead_seconds", legend: "{{instance}}" }],
    },
    {
      title: "Pages whose app opened, by row of the strategy table",
      unit: "percentunit",
      note: "On Android a page that was left may also have gone to the store or the web.",
      queries: [
        {
          expr: share(
            counterRate("row", `${OUTCOMES}{outcome!="stayed"}`),
            counterRate("row", OUTCOMES),
          ),
          legend: "{{row}}",
        },
      ],
    },
    {
      title: "What pages report",
      unit: "ops",
      queries: [{ expr: counterRate("os, outcome", OUTCOMES), legend: "{{os}} {{outcome}}" }],
    },
    {
      title: "Strategy tables in force",
      unit: "none",
      queries: [
        { expr: "count by (version) (tapthru_app_opening_table_info)", legend: "{{version}}" },
      ],
    },
    {
      title: "Strategy tables refused",
      unit: "none",
      queries: [
        {
          expr: "sum(increase(tapthru_app_opening_table_refusals_total[1h]))",
          legend: "in an hour",
        },
      ],
    },
  ],
};
