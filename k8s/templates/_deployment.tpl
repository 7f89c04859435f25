{{/* A Deployment. Arguments: those of tapthru.pod; replicas, unless an autoscaler sets them; recreate: never two at once */}}
{{- define "tapthru.deployment" -}}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  labels: {{ include "tapthru.labels" (list .root .name) }}
spec:
  {{- with .replicas }}
  replicas: {{ . }}
  {{- end }}
  revisionHistoryLimit: 5
  {{- if .recreate }}
  strategy: { type: Recreate }
  {{- else }}
  minReadySeconds: 5
  strategy:
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  {{- end }}
  selector:
    matchLabels: {{ include "tapthru.labels" (list .root .name) }}
  template:
    metadata:
      labels: {{ include "tapthru.labels" (list .root .name) }}
      {{- with .values.secret | default ((.sidecar).values).secret }}
      annotations:
        # An upgrade replaces the pods if their Secret has changed.
        checksum/secret: {{ (lookup "v1" "Secret" $.root.Release.Namespace .).data | toJson | sha256sum | quote }}
      {{- end }}
    spec: {{- include "tapthru.pod" . | nindent 6 }}
{{- end }}

{{/* A Service. Arguments: root: the chart's context; name; ports; headless: clients resolve the replicas themselves; external: the port of the Service http */}}
{{- define "tapthru.service" -}}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .name }}
  labels: {{ include "tapthru.labels" (list .root .name) }}
spec:
  {{- if .headless }}
  clusterIP: None
  {{- end }}
  selector: {{ include "tapthru.labels" (list .root .name) }}
  ports:
    {{- range $name, $port := .ports }}
    - { name: {{ $name }}, port: {{ $port }}, targetPort: {{ $name }}, protocol: {{ $name | eq "syslog" | ternary "UDP" "TCP" }} }
    {{- end }}
{{- end }}

{{/* Arguments: the chart's context; name */}}
{{- define "tapthru.disruptionBudget" -}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ last . }}
  labels: {{ include "tapthru.labels" . }}
spec:
  maxUnavailable: 1
  # A pod that is not ready serves no requests, so it must not block the drain of a node.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{ include "tapthru.labels" . }}
{{- end }}

{{/* Arguments: root: the chart's context; name; replicas: of the values */}}
{{- define "tapthru.autoscaler" -}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ .name }}
  labels: {{ include "tapthru.labels" (list .root .name) }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ .name }} }
  minReplicas: {{ .replicas.min }}
  maxReplicas: {{ .replicas.max }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: AverageValue, averageValue: {{ .replicas.cpu }} }
  behavior:
    # At once: a post goes viral within seconds.
    scaleUp:
      stabilizationWindowSeconds: 0
      policies: [{ type: Percent, value: 100, periodSeconds: 15 }]
    scaleDown:
      stabilizationWindowSeconds: 600
      policies: [{ type: Pods, value: 1, periodSeconds: 60 }]
{{- end }}
