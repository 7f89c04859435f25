{{/* The labels of an object, and the selector of its pods. Arguments: the chart's context; name */}}
{{- define "tapthru.labels" -}}
{ app.kubernetes.io/name: {{ last . }}, app.kubernetes.io/instance: {{ (first .).Release.Name }}, app.kubernetes.io/part-of: tapthru }
{{- end }}

{{/*
The spec of a pod, as the restricted pod security standard demands. Arguments:
root: the chart's context; name: of the container; user: its user and group id
image: that of another program; without it, one of ours: the one of the component `component` or `name`
values: what the chart's values say of it: env, secret, resources; secrets: names of Secrets instead of values.secret
env: variables that values.env may replace; command, args, ports (by name)
page or check: the path or the command of its probes, instead of those of the port admin; job: no probes, it ends by itself
ready and alive: the commands of its probes, instead of those
drain: it finishes requests before it ends; grace: seconds until it is killed; spread: over zones and nodes
mounts: volumes with name and path; fsGroup; sidecar: the arguments of a second container
*/}}
{{- define "tapthru.pod" -}}
{{- $values := .root.Values -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
{{- with $values.pod }}
{{ toYaml . }}
{{- end }}
securityContext:
  runAsNonRoot: true
  {{- if $values.fixedUserIds }}
  runAsUser: {{ .user }}
  runAsGroup: {{ .user }}
  {{- with .fsGroup }}
  fsGroup: {{ . }}
  {{- end }}
  {{- end }}
  seccompProfile: { type: RuntimeDefault }
{{- with .grace }}
terminationGracePeriodSeconds: {{ . }}
{{- end }}
{{- if .job }}
restartPolicy: Never
{{- end }}
{{- with .spread }}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - topologyKey: {{ . }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: { matchLabels: {{ include "tapthru.labels" (list $.root $.name) }} }
    matchLabelKeys: [pod-template-hash]
  {{- end }}
{{- end }}
containers:
  {{- include "tapthru.container" . | nindent 2 }}
  {{- $mounts := include "tapthru.mounts" . | fromJsonArray }}
  {{- with .sidecar }}
  {{- $mounts = concat $mounts (include "tapthru.mounts" . | fromJsonArray) | uniq }}
  {{- include "tapthru.container" . | nindent 2 }}
  {{- end }}
volumes:
  {{- range $mount := $mounts }}
  {{- with $mount.volume }}
  - {{ toJson (merge (dict "name" $mount.name) .) }}
  {{- end }}
  {{- end }}
{{- end }}

{{/* A container of tapthru.pod, with its arguments */}}
{{- define "tapthru.container" -}}
{{- $values := .root.Values -}}
{{- $secrets := .secrets | default (compact (list .values.secret)) -}}
{{- $env := .env | default dict -}}
{{- if not .image -}}
  {{- $env = mergeOverwrite (dict "PUBLIC_BASE_URL" $values.publicBaseUrl) $env $values.env -}}
  {{- if and $values.tls.enabled (has .name (list "gateway" "api" "worker")) }}{{ $_ := set $env "TLS" "on" }}{{ end -}}
  {{- if and $secrets $values.privateCaConfigMap }}{{ $_ := set $env "NODE_EXTRA_CA_CERTS" "/etc/private-ca/ca.pem" }}{{ end -}}
  {{- if and $values.appOpeningConfigMap (has .name (list "gateway" "redirect")) }}{{ $_ := set $env "APP_OPENING_FILE" "/etc/tapthru/app-opening.json" }}{{ end -}}
{{- end -}}
{{- $env = mergeOverwrite $env (.values.env | default dict) -}}
- name: {{ .name }}
  image: {{ .image | default (printf "%s/%s:%s" $values.images.repository (.component | default .name) ($values.images.tag | default .root.Chart.AppVersion)) }}
  {{- with .command }}
  command: {{ toJson . }}
  {{- end }}
  {{- with .args }}
  args: {{ toJson . }}
  {{- end }}
  {{- with .ports }}
  ports:
    {{- range $name, $port := . }}
    - { name: {{ $name }}, containerPort: {{ $port }}, protocol: {{ $name | eq "syslog" | ternary "UDP" "TCP" }} }
    {{- end }}
  {{- end }}
  envFrom: [{{ range $i, $secret := $secrets }}{{ if $i }}, {{ end }}{ secretRef: { name: {{ $secret }} } }{{ end }}]
  {{- with $env }}
  env:
    {{- range $name, $value := . }}
    - { name: {{ $name }}, value: {{ $value | quote }} }
    {{- end }}
  {{- end }}
  {{- if .ready }}
  readinessProbe:
    exec: { command: {{ toJson .ready }} }
    periodSeconds: 5
  # Fails if no round has ended for 5 min, with or without Postgres.
  livenessProbe:
    exec: { command: {{ toJson .alive }} }
    periodSeconds: 60
  {{- else if not .job }}
  # Liveness checks no dependencies: a restart would not repair them.
  startupProbe:
    {{- include "tapthru.probe" (dict "pod" . "path" "/livez") | nindent 4 }}
    periodSeconds: 1
    failureThreshold: 60
  livenessProbe:
    {{- include "tapthru.probe" (dict "pod" . "path" "/livez") | nindent 4 }}
    periodSeconds: 10
    timeoutSeconds: 5
    failureThreshold: 3
  readinessProbe:
    {{- include "tapthru.probe" (dict "pod" . "path" "/readyz") | nindent 4 }}
    periodSeconds: 2
    timeoutSeconds: 2
    failureThreshold: 2
  {{- end }}
  {{- if .drain }}
  # Time until no new requests arrive. Then the process finishes requests in progress.
  lifecycle: { preStop: { sleep: { seconds: 15 } } }
  {{- end }}
  resources: {{ toJson .values.resources }}
  securityContext:
    allowPrivilegeEscalation: false
    readOnlyRootFilesystem: true
    capabilities: { drop: [ALL] }
  volumeMounts:
    {{- range include "tapthru.mounts" . | fromJsonArray }}
    - { name: {{ .name }}, mountPath: {{ .path }} }
    {{- end }}
{{- end }}

{{/* The volumes of a container, as JSON */}}
{{- define "tapthru.mounts" -}}
{{- $values := .root.Values -}}
{{- $mounts := concat (list (dict "name" "tmp" "path" "/tmp" "volume" (dict "emptyDir" (dict "sizeLimit" "64Mi")))) (.mounts | default list) -}}
{{- if not .image -}}
  {{- if and $values.privateCaConfigMap (or .secrets .values.secret) -}}
    {{- $mounts = append $mounts (dict "name" "private-ca" "path" "/etc/private-ca" "volume" (dict "configMap" (dict "name" $values.privateCaConfigMap))) -}}
  {{- end -}}
  {{- if and $values.appOpeningConfigMap (has .name (list "gateway" "redirect")) -}}
    {{- $mounts = append $mounts (dict "name" "app-opening" "path" "/etc/tapthru" "volume" (dict "configMap" (dict "name" $values.appOpeningConfigMap))) -}}
  {{- end -}}
{{- end -}}
{{- toJson $mounts -}}
{{- end }}

{{- define "tapthru.probe" -}}
{{- if .pod.check -}}
exec: { command: {{ toJson .pod.check }} }
{{- else if .pod.page -}}
httpGet: { path: {{ .pod.page }}, port: http }
{{- else -}}
httpGet: { path: {{ .path }}, port: admin }
{{- end -}}
{{- end }}
