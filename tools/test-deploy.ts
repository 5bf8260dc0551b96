import { execFileSync, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

// `npm run test:deploy` checks deploy/ with the tools that read it: hadolint, helm, kubeconform, promtool, systemd-analyze. What is
// not installed is left out and said. KUBERNETES_SCHEMAS names a folder for kubeconform, which downloads them otherwise.

const DEPLOY = resolve(import.meta.dirname, '../deploy');
const CHART = `${DEPLOY}/helm/seathold`;
const SCHEMAS = process.env.KUBERNETES_SCHEMAS;

const needed = ['secretName=seathold', 'baseUrl=https://licenses.example.com'];
const VARIANTS = {
  'with its defaults': [],
  'without a sandbox or a migration job': ['sandbox=false', 'migrationJob.enabled=false'],
  'with everything': [
    'tlsSecretName=tls',
    'autoscaling.enabled=true',
    'networkPolicy.enabled=true',
    'serviceMonitor.enabled=true',
    'ingress.enabled=true',
    'ingress.host=licenses.example.com',
    'ingress.sandboxHost=sandbox.licenses.example.com',
    'ingress.tlsSecretName=tls',
  ],
};

check('hadolint', 'the Dockerfile has no known mistakes', () => run('hadolint', [`${DEPLOY}/Dockerfile`]));
check('promtool', 'the alert rules are valid', () =>
  run('promtool', ['check', 'rules', `${DEPLOY}/prometheus/alerts.yaml`]),
);
check('promtool', 'each alert fires when it has to', () =>
  run('promtool', ['test', 'rules', `${DEPLOY}/prometheus/alerts.test.yaml`]),
);
check('systemd-analyze', 'the exposure of the unit is at most 3.0', () =>
  run('systemd-analyze', ['security', '--offline=true', '--threshold=30', `${DEPLOY}/systemd/seathold.service`]),
);
for (const [name, values] of Object.entries(VARIANTS)) {
  check('helm', `the chart renders ${name}`, () => render(values));
  check('kubeconform', `Kubernetes accepts it ${name}`, () => {
    const location = SCHEMAS === undefined ? 'default' : `${SCHEMAS}/{{.ResourceKind}}{{.KindSuffix}}.json`;
    run('kubeconform', ['-strict', '-skip', 'ServiceMonitor', '-schema-location', location, '-'], render(values));
  });
}

function render(values: readonly string[]): string {
  const words = ['template', 'test', CHART, '--kube-version', '1.30.0', '--set', [...needed, ...values].join(',')];
  return run('helm', words);
}

function run(command: string, words: readonly string[], input = ''): string {
  return execFileSync(command, words, { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'inherit'] });
}

function check(command: string, promise: string, prove: () => void): void {
  if (spawnSync(command, ['--help'], { stdio: 'ignore' }).error !== undefined) {
    console.log(`--  ${promise}: left out, ${command} is not installed`);
    return;
  }
  try {
    prove();
    console.log(`ok  ${promise}`);
  } catch (error) {
    console.error(`failed: ${promise}`, error instanceof Error && 'stdout' in error ? error.stdout : error);
    process.exitCode = 1;
  }
}
