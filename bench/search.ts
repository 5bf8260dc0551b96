import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ask } from './rig/api.ts';
import { type Bench, type Figure, inRounds, makeFigure, percentile } from './rig/figure.ts';
import { makeDataDir, removeDataDir, type Service, startService } from './rig/service.ts';
import { storeCustomers } from './rig/stored-customers.ts';

/** What staff search by, each with the numbers of customers and licenses that it asks for; `n` changes with each request. */
const SEARCHES: Readonly<Record<string, (n: number) => string>> = {
  'organizations, newest first': () => '/v1/operator/organizations',
  'organizations by the start of a name': (n) =>
    `/v1/operator/organizations?query=${encodeURIComponent(`Customer ${n}`)}`,
  'organizations by ID': (n) => `/v1/operator/organizations?query=${organizationId(n)}`,
  "organizations by a member's address": (n) => `/v1/operator/organizations?query=user${n}@customer.example`,
  'organizations by license key': (n) => `/v1/operator/organizations?query=${licenseKey(n)}`,
  'organizations by an invoice number that does not exist': (n) => `/v1/operator/organizations?query=CUSTOMER-${n}`,
  'suspended organizations': () => '/v1/operator/organizations?status=suspended',
  'users by address': (n) => `/v1/operator/users?query=user${n}@customer.example`,
  'licenses, newest first': () => '/v1/operator/licenses',
  'licenses by key': (n) => `/v1/operator/licenses?key=${licenseKey(n)}`,
  'licenses by external ID': (n) => `/v1/operator/licenses?external_id=contract-${n}`,
  'licenses of a product': () => '/v1/operator/licenses?product=studio',
  'suspended licenses': () => '/v1/operator/licenses?status=suspended',
  'expired licenses': () => '/v1/operator/licenses?status=expired',
  'licenses that expire soon': () => '/v1/operator/licenses?expires_before=2026-03-01T00:00:00Z',
  'revoked licenses of a product that expire soon': () =>
    '/v1/operator/licenses?product=studio&status=revoked&expires_before=2026-03-01T00:00:00Z',
  'the overview': () => '/v1/operator/overview',
};

const SAMPLES = 40;
const LICENSES_EACH = 2;

/** Staff's searches at 1,000,000 organizations and 2,000,000 licenses, against reading one organization by its ID. */
export const search: Bench = {
  name: 'search',
  measure: async (options) => {
    const dataDir = await makeDataDir();
    const service = await startService(dataDir, options.profileDir);
    try {
      const token = await createOperatorToken(dataDir);
      const counts = { organizations: options.organizations, licensesEach: LICENSES_EACH };
      await storeCustomers(service.databaseUrl, counts);
      const figures: Figure[] = [];
      for (const [name, pathOf] of Object.entries(SEARCHES)) {
        const rounds = await inRounds(options, async () => ({
          ours: await measure(service, token, () => pathOf(anyOf(counts.organizations))),
          limit: await measure(
            service,
            token,
            () => `/v1/operator/organizations/${organizationId(anyOf(counts.organizations))}`,
          ),
        }));
        figures.push(
          makeFigure(
            { name: `${name}, p95`, unit: 'ms', limitIs: 'one organization by its ID', bar: 3, isAtMost: true },
            rounds,
          ),
        );
      }
      return figures;
    } finally {
      await service.stop();
      await removeDataDir(dataDir);
    }
  },
};

/** The 95th percentile of requests one after the other, in milliseconds. */
async function measure({ target }: Service, token: string, makePath: () => string): Promise<number> {
  const tookMs: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const path = makePath();
    const startMs = performance.now();
    await ask(target, 'GET', path, token);
    tookMs.push(performance.now() - startMs);
  }
  return percentile(tookMs, 0.95);
}

function anyOf(count: number): number {
  return Math.floor(Math.random() * count);
}

function organizationId(n: number): string {
  return `org_${String(n).padStart(26, '0')}`;
}

function licenseKey(n: number): string {
  return `BENCH-${String(n).padStart(12, '0')}`;
}

/** By the command, as on a server. */
async function createOperatorToken(dataDir: string): Promise<string> {
  const words = [SEATHOLD, 'operator', 'token', 'create', '--name', 'bench', '--role', 'viewer', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    env: { PATH: process.env.PATH, SEATHOLD_DATA_DIR: dataDir },
  });
  return String(JSON.parse(stdout).token);
}

const SEATHOLD = fileURLToPath(new URL('../packages/cli/bin/seathold.js', import.meta.url));
