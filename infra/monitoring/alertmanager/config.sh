#!/bin/sh
# Prints Alertmanager's configuration. Receivers come from ALERT_EMAIL_TO (with SMTP_URL or SMTP_URL_FILE, and SMTP_FROM),
# ALERT_SLACK_URL, ALERT_PAGERDUTY_KEY and ALERT_WATCHDOG_URL. Without them alerts are shown only on Alertmanager's page.
set -eu

# As a string of YAML.
quote() { printf "'%s'" "$(printf %s "$1" | sed "s/'/''/g")"; }
decode() { printf '%b' "$(printf %s "$1" | sed 's/%/\\x/g')"; }

cat <<'YAML'
route:
  receiver: on-call
  group_by: [installation, alertname]
  # Tickets.
  group_wait: 5m
  group_interval: 30m
  repeat_interval: 24h
  routes:
    - matchers: ['severity="none"']
      receiver: watchdog
      # Once in each interval of the group.
      group_wait: 0s
      group_interval: 1m
      repeat_interval: 30s
    - matchers: ['severity="page"']
      receiver: on-call
      # An alert may arrive this long before the one that inhibits it.
      group_wait: 10s
      group_interval: 1m
      repeat_interval: 1h
# What an outage causes is not sent beside it. No alert inhibits itself.
inhibit_rules:
  - source_matchers: ['alertname="PostgresDown"', 'severity="page"']
    target_matchers:
      - alertname=~"PostgresDown|ChangesLate|ErrorBudget.*|RequestsRefused|ClicksLate|WebhooksLate|JobsFailing"
    equal: [installation]
  - source_matchers: ['alertname="PostgresDown"', 'severity="page"']
    target_matchers: ['alertname="MonitoringIncomplete"', 'job="tapthru-postgres"']
    equal: [installation]
  - source_matchers: ['alertname="RedisDown"', 'severity="page"']
    target_matchers: ['alertname=~"RedisDown|ChangesLate|ClicksLate|JobsFailing"', 'severity="ticket"']
    equal: [installation]
  - source_matchers: ['alertname="RedisDown"', 'severity="page"']
    target_matchers: ['alertname="MonitoringIncomplete"', 'job="tapthru-redis"']
    equal: [installation]
  - source_matchers: ['alertname="GatewayDown"']
    target_matchers: ['alertname=~"ProbeFailing|ErrorBudget.*|NoRedirectTraffic|RequestsRefused"']
    equal: [installation]
  - source_matchers: ['alertname="ServiceDown"']
    target_matchers: ['alertname=~"ErrorBudget.*|NoRedirectTraffic|RequestsRefused|ReplicaDown"']
    equal: [installation]
  # The ticket of the same alert. A label that both lack counts as equal.
  - source_matchers: ['severity="page"']
    target_matchers: ['severity="ticket"']
    equal: [installation, alertname, device, instance]
receivers:
  - name: watchdog
YAML
if [ -n "${ALERT_WATCHDOG_URL:-}" ]; then
  echo "    webhook_configs: [{ url: $(quote "$ALERT_WATCHDOG_URL"), send_resolved: false }]"
fi
echo "  - name: on-call"
if [ -n "${ALERT_SLACK_URL:-}" ]; then
  cat <<YAML
    slack_configs:
      - api_url: $(quote "$ALERT_SLACK_URL")
        send_resolved: true
        text: '{{ range .Alerts }}{{ if eq .Status "resolved" }}resolved: {{ end }}{{ .Annotations.summary }} (<{{ .Annotations.runbook_url }}|runbook>){{ "\n" }}{{ end }}'
YAML
fi
if [ -n "${ALERT_PAGERDUTY_KEY:-}" ]; then
  cat <<YAML
    pagerduty_configs:
      - routing_key: $(quote "$ALERT_PAGERDUTY_KEY")
        severity: '{{ if eq .CommonLabels.severity "page" }}critical{{ else }}warning{{ end }}'
        description: '{{ .CommonLabels.alertname }}: {{ (index .Alerts 0).Annotations.summary }}'
        links: [{ href: '{{ (index .Alerts 0).Annotations.runbook_url }}', text: Runbook }]
YAML
fi
if [ -n "${ALERT_EMAIL_TO:-}" ]; then
  # smtps://user:password@host:465?options, with user and password encoded as in a URL.
  [ -z "${SMTP_URL_FILE:-}" ] || SMTP_URL=$(cat "$SMTP_URL_FILE")
  server=${SMTP_URL:?ALERT_EMAIL_TO needs SMTP_URL and SMTP_FROM}
  case $server in smtps:*) port=465 starttls=false from_start=true ;; *) port=587 starttls=true from_start=false ;; esac
  server=${server#*://} server=${server%%[/?]*}
  login=${server%@*} host=${server##*@}
  case $host in *:*) ;; *) host=$host:$port ;; esac
  cat <<YAML
    email_configs:
      - to: $(quote "$ALERT_EMAIL_TO")
        from: $(quote "${SMTP_FROM:?ALERT_EMAIL_TO needs SMTP_URL and SMTP_FROM}")
        smarthost: $(quote "$host")
        require_tls: $starttls
        force_implicit_tls: $from_start
        send_resolved: true
YAML
  if [ "$login" != "$server" ]; then
    echo "        auth_username: $(quote "$(decode "${login%%:*}")")"
    echo "        auth_password: $(quote "$(decode "${login#*:}")")"
  fi
fi
