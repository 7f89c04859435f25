import { counterRate, type Dashboard } from "./dashboard.ts";

// Queues are shared, so all workers report the same values: hence `max`.
export const JOBS: Dashboard = {
  uid: "tapthru-jobs",
  title: "Jobs",
  panels: [
    {
      title: "Jobs by outcome",
      unit: "ops",
      queries: [
        {
          expr: counterRate("outcome", "tapthru_jobs_total"),
          legend: "{{outcome}}",
        },
      ],
    },
    {
      title: "Permanently failed jobs within an hour",
      unit: "short",
      queries: [
        {
          expr: 'sum by (queue) (increase(tapthru_jobs_total{outcome="failed"}[1h]))',
          legend: "{{queue}}",
        },
      ],
    },
    {
      title: "Average job duration",
      unit: "s",
      queries: [
        {
          expr: "sum by (queue) (rate(tapthru_job_duration_seconds_sum[$__rate_interval])) / (sum by (queue) (rate(tapthru_job_duration_seconds_count[$__rate_interval])) > 0)",
          legend: "{{queue}}",
        },
      ],
    },
    {
      title: "Jobs in the queues",
      unit: "short",
      queries: [
        {
          expr: "max by (queue, state) (tapthru_queue_jobs)",
          legend: "{{queue}} {{state}}",
        },
      ],
    },
    {
      title: "Age of the oldest waiting job",
      unit: "s",
      queries: [
        {
          expr: "max by (queue) (tapthru_queue_oldest_waiting_seconds)",
          legend: "{{queue}}",
        },
      ],
    },
    {
      title: "Imports by state",
      unit: "short",
      queries: [{ expr: "max by (state) (tapthru_imports)", legend: "{{state}}" }],
    },
    {
      title: "Imported lines by result",
      unit: "ops",
      queries: [
        { expr: counterRate("result", "tapthru_import_lines_total"), legend: "{{result}}" },
      ],
    },
    {
      title: "Time since the last progress of a running import",
      unit: "s",
      note: "Normally below a second; longer while Amazon's short links are looked up.",
      queries: [{ expr: "max(tapthru_import_stalled_seconds)", legend: "time" }],
    },
    {
      title: "Requests to webhooks by result",
      unit: "ops",
      queries: [
        { expr: counterRate("result", "tapthru_webhook_attempts_total"), legend: "{{result}}" },
      ],
    },
    {
      title: "Age of the oldest due event of a webhook",
      unit: "s",
      note: "Without webhooks that fail. Minutes after an import of an account with webhooks.",
      queries: [{ expr: "max(tapthru_webhook_lag_seconds)", legend: "age" }],
    },
    {
      title: "Weekly emails by result",
      unit: "ops",
      note: "None without SMTP_URL. postponed: refused for now, and tried again within an hour.",
      queries: [{ expr: counterRate("result", "tapthru_digests_total"), legend: "{{result}}" }],
    },
    {
      title: "Memory of the queues' Redis",
      unit: "bytes",
      note: "max is 0 if Redis has no memory limit.",
      queries: [
        { expr: "max(tapthru_queue_memory_used_bytes)", legend: "used" },
        { expr: "max(tapthru_queue_memory_max_bytes)", legend: "max" },
      ],
    },
    {
      title: "Changes in the outbox",
      unit: "short",
      queries: [{ expr: "max(tapthru_outbox_changes)", legend: "changes" }],
    },
    {
      title: "Age of the oldest change in the outbox",
      unit: "s",
      queries: [{ expr: "max(tapthru_outbox_lag_seconds)", legend: "age" }],
    },
    {
      title: "Invalid values that were left out",
      unit: "ops",
      note: "Rows, redirect records and batches of clicks that a service cannot read.",
      queries: [
        {
          expr: counterRate("job, source", "tapthru_unreadable_values_total"),
          legend: "{{job}} {{source}}",
        },
      ],
    },
    {
      title: "Lag of the region relays",
      unit: "s",
      note: "Normally a region's Redis has every change within a second.",
      onlyWith: "several regions",
      queries: [{ expr: "tapthru_region_changes_lag_seconds", legend: "{{instance}}" }],
    },
    {
      title: "Product pages read by outcome",
      unit: "ops",
      queries: [
        {
          expr: counterRate("outcome", "tapthru_metadata_readings_total"),
          legend: "{{outcome}}",
        },
      ],
    },
    {
      title: "Live links by health",
      unit: "short",
      note: "Of links with an owner.",
      queries: [{ expr: "max by (state) (tapthru_links_by_health)", legend: "{{state}}" }],
    },
    {
      title: "Checks of linked products by result",
      unit: "ops",
      note: "unknown: a captcha, a refusal, an error or no response.",
      queries: [{ expr: counterRate("result", "tapthru_link_checks_total"), legend: "{{result}}" }],
    },
    {
      title: "Age of the oldest check of a linked product",
      unit: "s",
      note: "Normally below eight days. It grows while products cannot be read.",
      queries: [{ expr: "max(tapthru_link_check_oldest_seconds)", legend: "age" }],
    },
  ],
};
