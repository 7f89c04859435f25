import { counterRate, type Dashboard } from "./dashboard.ts";

const SERVICES = 'job=~"tapthru-(api|redirect|worker)"';

export const PROCESSES: Dashboard = {
  uid: "tapthru-processes",
  title: "Processes",
  panels: [
    {
      title: "CPU cores used",
      unit: "none",
      queries: [
        {
          expr: `rate(process_cpu_seconds_total{${SERVICES}}[$__rate_interval])`,
          legend: "{{job}} {{instance}}",
        },
      ],
    },
    {
      title: "Resident memory",
      unit: "bytes",
      queries: [
        { expr: `process_resident_memory_bytes{${SERVICES}}`, legend: "{{job}} {{instance}}" },
      ],
    },
    {
      title: "Event loop lag, p99",
      unit: "s",
      queries: [
        { expr: `nodejs_eventloop_lag_p99_seconds{${SERVICES}}`, legend: "{{job}} {{instance}}" },
      ],
    },
    {
      title: "Event loop busy",
      unit: "percentunit",
      note: "Share of the one core that a Node process can use. Near 100 % requests queue.",
      queries: [
        {
          expr: `rate(tapthru_eventloop_busy_seconds_total{${SERVICES}}[$__rate_interval])`,
          legend: "{{job}} {{instance}}",
        },
      ],
    },
    {
      title: "Time spent on garbage collection",
      unit: "percentunit",
      queries: [
        {
          expr: counterRate("job, instance", `nodejs_gc_duration_seconds_sum{${SERVICES}}`),
          legend: "{{job}} {{instance}}",
        },
      ],
    },
    {
      title: "Heap used",
      unit: "bytes",
      queries: [
        { expr: `nodejs_heap_size_used_bytes{${SERVICES}}`, legend: "{{job}} {{instance}}" },
      ],
    },
    {
      title: "Releases",
      unit: "none",
      note: "Number of replicas by release.",
      queries: [
        {
          expr: "count by (job, version, node) (tapthru_build_info)",
          legend: "{{job}} {{version}} on Node {{node}}",
        },
      ],
    },
    {
      title: "Uptime",
      unit: "s",
      queries: [
        {
          expr: `time() - process_start_time_seconds{${SERVICES}}`,
          legend: "{{job}} {{instance}}",
        },
      ],
    },
  ],
};
