import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../src/config/index.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const listFiles = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .filter((path) => !path.startsWith('deploy/secrets/'));

const FILES = listFiles('deploy');
const DOCKERFILE = read('deploy/Dockerfile');
const COMPOSE = parse(read('deploy/compose.yaml'), { merge: true });
const { version } = JSON.parse(read('packages/cli/package.json'));

describe('the files in deploy/', () => {
  const yamls = FILES.filter((path) => /\.ya?ml$/.test(path) && !path.includes('/templates/'));

  it.for(yamls)('%s is valid YAML', (path) => {
    for (const document of parseAllDocuments(read(path), { merge: true })) {
      expect(document.errors).toEqual([]);
    }
  });

  it('name only settings that exist', () => {
    const secrets = Object.values(SETTINGS).filter((each) => 'secret' in each && each.secret);
    const known = new Set([
      ...Object.values(SETTINGS).map(({ name }) => name),
      ...secrets.map(({ name }) => `${name}_FILE`),
      // compose.yaml's own variable: which image to run.
      'SEATHOLD_VERSION',
    ]);
    const unknown = [...FILES, 'docs/operating/install.md'].flatMap((path) =>
      (
        read(path).match(
          /\b(?:SEATHOLD_[A-Z0-9_]*[A-Z0-9]|(?:SANDBOX_)?DATABASE_URL(?:_FILE)?|REDIS_URL(?:_FILE)?)\b/g,
        ) ?? []
      )
        .filter((name) => !known.has(name))
        .map((name) => `${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('run images with an exact version', () => {
    const inDockerfile = [...DOCKERFILE.matchAll(/^ARG \w+_IMAGE=(.*)$/gm)].map(([, image]) => image);
    const inCompose = Object.values<{ image: string }>(COMPOSE.services).map(({ image }) => image);
    expect(inDockerfile).toHaveLength(2);
    for (const image of [...inDockerfile, ...inCompose]) {
      expect(image).toMatch(/:(\d+\.\d+(\.\d+)?(-[a-z]+)?|\$\{SEATHOLD_VERSION:-\d+\.\d+\.\d+\})$/);
    }
    const { devDependencies } = JSON.parse(read('package.json'));
    expect(inDockerfile[0]).toContain(`node:${devDependencies.node}-`);
  });

  it('have the same version as the packages', () => {
    expect(parse(read('deploy/helm/seathold/Chart.yaml'))).toMatchObject({ version, appVersion: version });
    expect(COMPOSE.services.api.image).toContain(`:-${version}}`);
    expect(DOCKERFILE).toContain(`-t seathold:${version} `);
  });

  it('use the ports that the service listens on by default', () => {
    const ports = [SETTINGS.port, SETTINGS.sandboxPort, SETTINGS.metricsPort].map((each) => each.default);
    expect(/^EXPOSE (.*)$/m.exec(DOCKERFILE)?.[1]?.split(' ')).toEqual(ports);
    const inChart = read('deploy/helm/seathold/templates/deployments.yaml').matchAll(/"containerPort" (\d+)/g);
    expect([...inChart].map(([, port]) => port)).toEqual(ports);
    const { api, worker } = COMPOSE.services;
    const inCompose = [...api.ports, ...worker.ports].map((each: string) => each.split(':').at(-1));
    expect(inCompose).toEqual(ports);
    for (const port of ports) {
      expect(read('deploy/helm/seathold/templates/network-policy.yaml')).toContain(`port: ${port} }`);
    }
  });

  it('give the service more time to stop than its drain takes', () => {
    const { drainSeconds } = parse(read('deploy/helm/seathold/values.yaml'));
    const reserve = /add \.root\.Values\.drainSeconds (\d+)/.exec(read('deploy/helm/seathold/templates/_helpers.tpl'));
    expect(drainSeconds).toBeGreaterThan(0);
    expect(Number(reserve?.[1])).toBeGreaterThan(5);
    expect(Number.parseInt(COMPOSE.services.api.stop_grace_period, 10)).toBeGreaterThan(10);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(read('deploy/systemd/seathold.service'))?.[1])).toBeGreaterThan(10);
  });
});

describe('the image', () => {
  it('installs what each package needs before it copies the sources', () => {
    for (const name of readdirSync(join(ROOT, 'packages'))) {
      expect(DOCKERFILE).toContain(`COPY packages/${name}/package.json packages/${name}/`);
    }
  });

  it('runs as a non-root user, and writes only its data', () => {
    expect(DOCKERFILE).toMatch(/^USER 10001:10001$/m);
    expect(DOCKERFILE).toMatch(/^VOLUME \/data$/m);
    for (const name of ['api', 'worker']) {
      expect(COMPOSE.services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    }
    const helpers = read('deploy/helm/seathold/templates/_helpers.tpl');
    for (const rule of ['runAsNonRoot: true', 'runAsUser: 10001', 'readOnlyRootFilesystem: true', 'drop: [ALL]']) {
      expect(helpers).toContain(rule);
    }
  });

  it('gets every secret of compose.yaml as a file that its script creates', () => {
    const created = [...read('deploy/compose/create-secrets.sh').matchAll(/^keep ([\w-]+) /gm)].map(([, name]) => name);
    expect(Object.keys(COMPOSE.secrets).toSorted()).toEqual(created.toSorted());
  });
});

describe('the systemd unit', () => {
  const unit = read('deploy/systemd/seathold.service');

  it('keeps the protections that its exposure was measured with', () => {
    for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet=', 'PrivateUsers=yes']) {
      expect(unit.split('\n')).toContain(line);
    }
  });

  it('lets V8 compile, and the embedded PostgreSQL stop in order', () => {
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/m);
    expect(unit).toMatch(/^KillMode=mixed$/m);
  });
});
