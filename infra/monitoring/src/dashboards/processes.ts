import type { Dashboard } from "./dashboard.ts";

const OURS = 'job=~"tapthru-(api|redirect|worker)"';

export const PROCESSES: Dashboard = {
  uid: "tapthru-processes",
  title: "Processes",
  panels: [
    {
      title: "Processor cores used",
      unit: "none",
      queries: [
        {
          expr: `rate(process_cpu_seconds_total{${OURS}}[$__rate_interval])`,
          legend: "{{job}} {{instance}}",
        },
      ],
    },
    {
      title: "Resident memory",
      unit: "bytes",
      queries: [{ expr: `process_resident_memory_bytes{${OURS}}`, legend: "{{job}} {{instance}}" }],
    },
    {
      title: "Event loop, 99 % not later than",
      unit: "s",
      queries: [
        { expr: `nodejs_eventloop_lag_p99_seconds{${OURS}}`, legend: "{{job}} {{instance}}" },
      ],
    },
    {
      title: "Event loop busy",
      unit: "percentunit",
      note: "The share of the one core that a Node process can use. Near 100 % requests queue.",
      queries: [
        {
          expr: `rate(tapthru_eventloop_busy_seconds_total{${OURS}}[$__rate_interval])`,
          legend: "{{job}} {{instance}}",
        },
      ],
    },
    {
      title: "Time spent collecting garbage",
      unit: "percentunit",
      queries: [
        {
          expr: `sum by (job, instance) (rate(nodejs_gc_duration_seconds_sum{${OURS}}[$__rate_interval]))`,
          legend: "{{job}} {{instance}}",
        },
      ],
    },
    {
      title: "Heap used",
      unit: "bytes",
      queries: [{ expr: `nodejs_heap_size_used_bytes{${OURS}}`, legend: "{{job}} {{instance}}" }],
    },
    {
      title: "Releases",
      unit: "none",
      note: "Replicas by the release that they run.",
      queries: [
        {
          expr: "count by (job, version, node) (tapthru_build_info)",
          legend: "{{job}} {{version}} on Node {{node}}",
        },
      ],
    },
    {
      title: "Since the last start",
      unit: "s",
      queries: [
        {
          expr: `time() - process_start_time_seconds{${OURS}}`,
          legend: "{{job}} {{instance}}",
        },
      ],
    },
  ],
};
