{{- define "seathold.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "seathold.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "seathold.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "seathold.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "seathold.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "seathold.image" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{/* The settings that all pods have: public ones by name, secret ones from the Secret. */}}
{{- define "seathold.environment" -}}
envFrom:
  - secretRef:
      name: {{ .Values.secretName }}
env:
  - name: SEATHOLD_BASE_URL
    value: {{ .Values.baseUrl | quote }}
  - name: SEATHOLD_SANDBOX
    value: {{ ternary "on" "off" .Values.sandbox | quote }}
  {{- with .Values.sandboxUrl }}
  - name: SEATHOLD_SANDBOX_URL
    value: {{ . | quote }}
  {{- end }}
  - name: SEATHOLD_DRAIN_SECONDS
    value: {{ .Values.drainSeconds | quote }}
  {{- if .Values.tlsSecretName }}
  - name: SEATHOLD_TLS_CERT
    value: /tls/tls.crt
  - name: SEATHOLD_TLS_KEY
    value: /tls/tls.key
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
{{- end }}

{{/* Nothing but these is written: the root is read-only. */}}
{{- define "seathold.volumes" -}}
- name: data
  emptyDir: {}
- name: tmp
  emptyDir: {}
{{- with .Values.tlsSecretName }}
- name: tls
  secret:
    secretName: {{ . }}
    defaultMode: 0440
{{- end }}
{{- end }}

{{- define "seathold.volumeMounts" -}}
- name: data
  mountPath: /data
- name: tmp
  mountPath: /tmp
{{- if .Values.tlsSecretName }}
- name: tls
  mountPath: /tls
  readOnly: true
{{- end }}
{{- end }}

{{/* Startup, liveness and readiness on one port. HTTPS probes of Kubernetes accept any certificate. */}}
{{- define "seathold.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: {{ . }}, scheme: HTTPS }
  periodSeconds: 2
  failureThreshold: 150
livenessProbe:
  httpGet: { path: /healthz, port: {{ . }}, scheme: HTTPS }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: {{ . }}, scheme: HTTPS }
  periodSeconds: 5
  timeoutSeconds: 4
  failureThreshold: 2
{{- end }}

{{/* What both kinds of pods share. Needs root, component, port. */}}
{{- define "seathold.podSpec" -}}
{{- $values := index .root.Values .component -}}
serviceAccountName: {{ include "seathold.name" .root }}
automountServiceAccountToken: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- include "seathold.podSecurity" .root | nindent 2 }}
# There is no preStop hook: after SIGTERM the service itself turns its readiness off, asks clients to reconnect, and serves on
# for drainSeconds. Five more are for running requests, and the rest is a reserve.
terminationGracePeriodSeconds: {{ add .root.Values.drainSeconds 20 }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "seathold.selector" . | nindent 8 }}
containers:
  - name: seathold
    {{- include "seathold.image" .root | nindent 4 }}
    args: [serve, --role, {{ .component }}]
    {{- include "seathold.environment" .root | nindent 4 }}
    ports:
      {{- toYaml .ports | nindent 6 }}
    {{- include "seathold.probes" .probed | nindent 4 }}
    resources:
      {{- toYaml $values.resources | nindent 6 }}
    securityContext:
      {{- include "seathold.containerSecurity" .root | nindent 6 }}
    volumeMounts:
      {{- include "seathold.volumeMounts" .root | nindent 6 }}
volumes:
  {{- include "seathold.volumes" .root | nindent 2 }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
