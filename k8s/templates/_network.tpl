{{/* A NetworkPolicy without its rules. Arguments: the chart's context, its name, the names of the pods */}}
{{- define "tapthru.policy" -}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ index . 1 }}
  labels: { app.kubernetes.io/part-of: tapthru }
spec:
  podSelector: {{ include "tapthru.pods" (prepend (slice . 2) (first .)) }}
{{- end }}

{{/* Arguments: the chart's context, the names of the pods */}}
{{- define "tapthru.pods" -}}
{ matchLabels: { app.kubernetes.io/instance: {{ (first .).Release.Name }} }, matchExpressions: [{ key: app.kubernetes.io/name, operator: In, values: {{ toJson (rest .) }} }] }
{{- end }}

{{/* A rule. Arguments: the networks, the ports */}}
{{- define "tapthru.toNetworks" -}}
{ to: [{{ range $i, $cidr := index . 0 }}{{ if $i }}, {{ end }}{ ipBlock: { cidr: {{ $cidr | quote }} } }{{ end }}], ports: {{ include "tapthru.ports" (index . 1) }} }
{{- end }}

{{- define "tapthru.ports" -}}
[{{ range $i, $port := . }}{{ if $i }}, {{ end }}{ port: {{ $port }} }{{ end }}]
{{- end }}

{{- define "tapthru.toPostgres" -}}
{{- $postgres := .Values.network.postgres -}}
{{- if .Values.local -}}
{ to: [{ podSelector: {{ include "tapthru.pods" (list $ "postgres") }} }], ports: [{ port: 5432 }] }
{{- else if not $postgres.networks -}}
{{- fail "Set network.postgres.networks to the networks (CIDR) of your Postgres." -}}
{{- else -}}
{{ include "tapthru.toNetworks" (list $postgres.networks $postgres.ports) }}
{{- end -}}
{{- end }}

{{- define "tapthru.toRedis" -}}
{{- $redis := .Values.network.redis -}}
{{- if .Values.local -}}
{ to: [{ podSelector: {{ include "tapthru.pods" (list $ "redis-cache" "redis-queue") }} }], ports: [{ port: 6379 }] }
{{- else if not $redis.networks -}}
{{- fail "Set network.redis.networks to the networks (CIDR) of your Redis." -}}
{{- else -}}
{{ include "tapthru.toNetworks" (list $redis.networks $redis.ports) }}
{{- end -}}
{{- end }}

{{/* Argument: the ports */}}
{{- define "tapthru.toInternet" -}}
to:
  - ipBlock:
      cidr: 0.0.0.0/0
      except: [10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16]
  - ipBlock:
      cidr: ::/0
      except: ["fc00::/7", "fe80::/10"]
ports: {{ include "tapthru.ports" . }}
{{- end }}
