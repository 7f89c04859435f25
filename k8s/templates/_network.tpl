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

{{- define "tapthru.ownPods" -}}
{ matchLabels: { app.kubernetes.io/instance: {{ .Release.Name }}, app.kubernetes.io/part-of: tapthru } }
{{- end }}

{{/* Arguments: the chart's context, the names of the pods */}}
{{- define "tapthru.pods" -}}
{ matchLabels: { app.kubernetes.io/instance: {{ (first .).Release.Name }} }, matchExpressions: [{ key: app.kubernetes.io/name, operator: In, values: {{ toJson (rest .) }} }] }
{{- end }}

{{/* A rule for egress. Argument: an entry of the value network */}}
{{- define "tapthru.toPeers" -}}
{{- $peers := .peers -}}
{{- range .networks }}{{ $peers = append $peers (dict "ipBlock" (dict "cidr" .)) }}{{ end -}}
{ to: {{ toJson $peers }}, ports: {{ include "tapthru.ports" .ports }} }
{{- end }}

{{- define "tapthru.ports" -}}
[{{ range $i, $port := . }}{{ if $i }}, {{ end }}{ port: {{ $port }} }{{ end }}]
{{- end }}

{{- define "tapthru.toPostgres" -}}
{{- $postgres := .Values.network.postgres -}}
{{- if .Values.local -}}
{ to: [{ podSelector: {{ include "tapthru.pods" (list $ "postgres") }} }], ports: [{ port: 5432 }] }
{{- else if not (or $postgres.networks $postgres.peers) -}}
{{- fail "Set network.postgres.networks to the networks (CIDR) of your Postgres, or peers to its pods." -}}
{{- else -}}
{{ include "tapthru.toPeers" $postgres }}
{{- end -}}
{{- end }}

{{- define "tapthru.toRedis" -}}
{{- $redis := .Values.network.redis -}}
{{- if .Values.local -}}
{ to: [{ podSelector: {{ include "tapthru.pods" (list $ "redis-cache" "redis-queue") }} }], ports: [{ port: 6379 }] }
{{- else if not (or $redis.networks $redis.peers) -}}
{{- fail "Set network.redis.networks to the networks (CIDR) of your Redis, or peers to its pods." -}}
{{- else -}}
{{ include "tapthru.toPeers" $redis }}
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
