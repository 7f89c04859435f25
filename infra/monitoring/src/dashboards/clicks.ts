import { counterRate, type Dashboard } from "./dashboard.ts";

export const CLICKS: Dashboard = {
  uid: "tapthru-clicks",
  title: "Clicks",
  panels: [
    {
      title: "Clicks by class",
      unit: "reqps",
      queries: [{ expr: counterRate("class", "tapthru_clicks_total"), legend: "{{class}}" }],
    },
    {
      title: "Dropped clicks within an hour",
      unit: "short",
      note: "memory: the queue Redis was unavailable for too long; queue: the worker or Postgres was.",
      queries: [
        {
          expr: "sum by (where) (increase(tapthru_clicks_dropped_total[1h]))",
          legend: "{{where}}",
        },
      ],
    },
    {
      title: "Age of the oldest batch that is not in the queue",
      unit: "s",
      queries: [{ expr: "tapthru_click_unsent_seconds", legend: "{{instance}}" }],
    },
    {
      title: "Age of the oldest batch that is not stored",
      unit: "s",
      note: "Normally below two seconds.",
      queries: [{ expr: "max(tapthru_click_lag_seconds)", legend: "age" }],
    },
    {
      title: "Average links in a batch",
      unit: "short",
      queries: [
        {
          expr: "sum(rate(tapthru_click_batch_links_sum[$__rate_interval])) / sum(rate(tapthru_click_batch_links_count[$__rate_interval]))",
          legend: "links",
        },
      ],
    },
    {
      title: "Batches applied",
      unit: "ops",
      queries: [
        {
          expr: "sum(rate(tapthru_click_batches_applied_total[$__rate_interval]))",
          legend: "batches",
        },
      ],
    },
    {
      title: "Rows written",
      unit: "ops",
      queries: [
        { expr: "sum(rate(tapthru_click_rows_written_total[$__rate_interval]))", legend: "rows" },
      ],
    },
    {
      title: "ClickHouse responds",
      unit: "none",
      note: "1: yes.",
      onlyWith: "CLICKHOUSE_URL",
      queries: [{ expr: "tapthru_clickhouse_up", legend: "{{job}} {{instance}}" }],
    },
    {
      title: "Requests to ClickHouse, 95th percentile",
      unit: "s",
      onlyWith: "CLICKHOUSE_URL",
      queries: [
        {
          expr: "histogram_quantile(0.95, sum by (job, le) (rate(tapthru_clickhouse_request_duration_seconds_bucket[$__rate_interval])))",
          legend: "{{job}}",
        },
      ],
    },
    {
      title: "Classifiers in use",
      unit: "none",
      queries: [
        { expr: "count by (version) (tapthru_click_classifier_info)", legend: "{{version}}" },
      ],
    },
  ],
};
