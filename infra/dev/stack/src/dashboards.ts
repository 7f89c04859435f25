/**
 * A panel a line: title, unit and queries, each with its legend. `{}` stands for the labels of the selected installations, `[]` for the
 * interval of a rate.
 */
const DASHBOARDS = {
  Overview: `
Error budget burn rate; at 1 the budget lasts 30 days | none | {{slo}} 5 min: slo:sli_error:ratio_rate5m{} / on (slo) group_left slo:error_budget:ratio | {{slo}} 1 h: slo:sli_error:ratio_rate1h{} / on (slo) group_left slo:error_budget:ratio
Running replicas | none | {{job}}: sum by (job) (up{,job=~"tapthru-(api|redirect|worker)"})
Requests | reqps | {{job}}: sum by (job) (rate(tapthru_http_request_duration_seconds_count{}[]))
5xx responses | reqps | {{job}} {{route}}: sum by (job, route) (rate(tapthru_http_request_duration_seconds_count{,status=~"5.."}[]))
Request duration, p99 | s | {{job}}: ${p99("job", "tapthru_http_request_duration_seconds")}
Wait for a replica, p99 | s | {{job}}: ${p99("job", "tapthru_http_wait_seconds")}
Requests at the gateway by status | reqps | {{status}}: sum by (status) (rate(tapthru_gateway_request_duration_seconds_count{}[]))
Request duration at the gateway, p99 | s | {{route}}: ${p99("route", "tapthru_gateway_request_duration_seconds")}
Requests refused by the gateway | reqps | {{status}} {{route}}: sum by (route, status) (rate(tapthru_gateway_refusals_total{}[]))
Links created without an account, per minute | none | {{outcome}}: 60 * sum by (outcome) (rate(tapthru_anonymous_creates_total{}[5m])) | budget: max(tapthru_anonymous_creates_per_minute_max{})
Jobs in the queues | short | {{queue}} {{state}}: max by (queue, state) (tapthru_queue_jobs{})
Age of the oldest waiting job | s | {{queue}}: max by (queue) (tapthru_queue_oldest_waiting_seconds{})
Failed jobs and items within an hour | short | {{queue}}: sum by (queue) (increase(tapthru_jobs_total{,outcome="failed"}[1h])) | {{kind}}, set aside: max by (kind) (tapthru_failed_items{})
Age of what waits | s | changes in the outbox: max(tapthru_outbox_lag_seconds{}) | clicks in the queue: max(tapthru_click_lag_seconds{}) | clicks in a redirect: max(tapthru_click_unsent_seconds{}) | events of webhooks: max(tapthru_webhook_lag_seconds{})
Clicks by class | reqps | {{class}}: sum by (class) (rate(tapthru_clicks_total{}[])) | dropped, {{where}} full: sum by (where) (rate(tapthru_clicks_dropped_total{}[]))
Product pages read by outcome | ops | {{outcome}}: sum by (outcome) (rate(tapthru_metadata_readings_total{}[]))
Postgres and Redis available | none | Postgres, {{job}}: min by (job) (tapthru_postgres_up{}) | {{redis}}, {{job}}: min by (job, redis) (tapthru_redis_up{})
Duration of requests to Postgres and Redis, p99 | s | Postgres, {{job}}: ${p99("job", "tapthru_postgres_request_duration_seconds")} | {{redis}}, {{job}}: ${p99("job, redis", "tapthru_redis_request_duration_seconds")}
Share of time in Postgres statements | percentunit | {{job}} {{statement}}: topk(10, sum by (job, statement) (rate(tapthru_postgres_statement_duration_seconds_sum{}[])))
Connections to Postgres | short | {{job}} {{state}}: sum by (job, state) (tapthru_postgres_connections{}) | {{job}} requests waiting: sum by (job) (tapthru_postgres_waiting_requests{})
Memory of Redis | bytes | {{redis}}: max by (redis) (redis_memory_used_bytes{}) | limit of the queues: max(tapthru_queue_memory_max_bytes{})
CPU cores used | none | {{job}} {{instance}}: rate(process_cpu_seconds_total{,job=~"tapthru-(api|redirect|worker)"}[])
Resident memory | bytes | {{job}} {{instance}}: process_resident_memory_bytes{,job=~"tapthru-(api|redirect|worker)"}
Event loop busy | percentunit | {{job}} {{instance}}: rate(tapthru_eventloop_busy_seconds_total{}[])
Releases | none | {{job}} {{version}}: count by (job, version) (tapthru_build_info{})
Free space on disks | percentunit | {{mountpoint}}: min by (mountpoint) (node_filesystem_avail_bytes{,mountpoint=~"/(volumes|backups)"} / node_filesystem_size_bytes)
Age of the last backup | s | age: time() - max(tapthru_backup_last_success_timestamp_seconds{})
Responses in a load test of k6 | reqps | {{status}}: sum by (status) (rate(k6_http_reqs_total{}[]))`,
  Redirect: `
Visits by response | reqps | {{reply}}: sum by (reply) (rate(tapthru_redirects_total{}[]))
Visits by device | reqps | {{device}}: sum by (device) (rate(tapthru_redirects_total{}[]))
Duration at the gateway, p99 | s | {{status}}: ${p99("status", "tapthru_gateway_request_duration_seconds", ',route="/l/:code"')}
Duration in the redirect, p99 | s | {{status}}: ${p99("status", "tapthru_http_request_duration_seconds", ',route="/l/:code"')}
Source of the link; l1 is the memory | percentunit | {{source}}: sum by (source) (rate(tapthru_redirects_total{}[])) / ignoring (source) group_left sum(rate(tapthru_redirects_total{}[]))
Links in memory | short | {{instance}}: tapthru_redirect_cache_links{}
Memory | bytes | {{instance}}: process_resident_memory_bytes{,job="tapthru-redirect"} | {{instance}}, links: tapthru_redirect_cache_bytes{} | LINK_CACHE_BYTES: max(tapthru_redirect_cache_max_bytes{})
Lag of changes | s | {{instance}}: tapthru_redirect_changes_lag_seconds{}
Clock offset from Postgres | s | {{instance}}: tapthru_redirect_clock_ahead_seconds{}
Share of pages whose app opened, by strategy (6 h) | percentunit | {{row}}: row:app_open:ratio_rate6h{}
Reported outcomes by app | ops | {{app}} {{os}} {{outcome}}: sum by (app, os, outcome) (rate(tapthru_app_opening_outcomes_total{}[]))
Strategy tables in use | none | {{version}}: count by (version) (tapthru_app_opening_table_info{})`,
};

function p99(by: string, metric: string, labels = ""): string {
  return `histogram_quantile(0.99, sum by (${by}, le) (rate(${metric}_bucket{${labels}}[])))`;
}

const DATASOURCE = { type: "prometheus", uid: "$datasource" };
const INSTALLATIONS = "label_values(tapthru_build_info, installation)";

/** Grafana's files: path in the repository and content, with one panel a line. */
export function dashboardFiles(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(DASHBOARDS).map(([title, table]) => {
      const name = title.toLowerCase();
      const panels = table.trim().split("\n").map(grafanaPanel);
      const lines = panels.map((panel) => JSON.stringify(panel)).join(",\n");
      const frame = JSON.stringify(grafanaDashboard(name, title)).slice(0, -1);
      return [`infra/monitoring/grafana/dashboards/tapthru-${name}.json`, `${frame},"panels":[\n${lines}\n]}\n`];
    }),
  );
}

function grafanaDashboard(name: string, title: string) {
  return {
    uid: `tapthru-${name}`,
    title: `Tapthru: ${title}`,
    tags: ["tapthru"],
    schemaVersion: 41,
    editable: false,
    time: { from: "now-6h", to: "now" },
    refresh: "30s",
    links: [{ type: "dashboards", tags: ["tapthru"], title: "Tapthru", asDropdown: true }],
    templating: {
      list: [
        {
          name: "datasource",
          label: "Prometheus",
          type: "datasource",
          query: "prometheus",
          current: {},
        },
        {
          name: "installation",
          label: "Installation",
          type: "query",
          datasource: DATASOURCE,
          query: { qryType: 1, query: INSTALLATIONS, refId: "A" },
          definition: INSTALLATIONS,
          refresh: 2,
          includeAll: true,
          allValue: ".*",
          multi: true,
          current: { text: ["All"], value: ["$__all"] },
        },
      ],
    },
  };
}

function grafanaPanel(line: string, index: number) {
  const [title, unit, ...queries] = line.split(" | ");
  return {
    id: index + 1,
    type: "timeseries",
    title,
    datasource: DATASOURCE,
    gridPos: { x: (index % 2) * 12, y: Math.floor(index / 2) * 8, w: 12, h: 8 },
    fieldConfig: { defaults: { unit, custom: { fillOpacity: 8 } }, overrides: [] },
    options: { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi" } },
    targets: queries.map((query, number) => {
      const [legendFormat, ...expression] = query.split(": ");
      const expr = expression
        .join(": ")
        .replaceAll(/\{(?=[,}])/g, '{installation=~"$installation"')
        .replaceAll("[]", "[$__rate_interval]");
      return { refId: "ABCDEF"[number], datasource: DATASOURCE, expr, legendFormat };
    }),
  };
}
