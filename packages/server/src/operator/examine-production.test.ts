import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase } from '../../test/harness/clone-database.ts';
import { applyCatalogue, parseCatalogue } from '../billing/index.ts';
import { Database } from '../database/index.ts';
import { examineInstallation } from './examine-installation.ts';
import { examineProduction } from './examine-production.ts';

let folder: string;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seathold-live-'));
  url = await cloneDatabase();
});
afterAll(() => rm(folder, { recursive: true }));

/** Each unsuccessful check, as `fault check` or `warning check`. */
async function examine(environment: Record<string, string>): Promise<string[]> {
  const findings = await examineProduction({ SEATHOLD_DATA_DIR: folder, SEATHOLD_SANDBOX: 'off', ...environment });
  return findings.flatMap(({ check, ok, isWarning }) =>
    ok && !isWarning ? [] : [`${ok ? 'warning' : 'fault'} ${check}`],
  );
}

const database = () => ({ DATABASE_URL: url, SEATHOLD_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') });

const LIVE = {
  SEATHOLD_BASE_URL: 'https://api.example.com',
  SEATHOLD_HOST: '0.0.0.0',
  SEATHOLD_TLS_CERT: '/etc/cert.pem',
  SEATHOLD_TLS_KEY: '/etc/key.pem',
  SEATHOLD_STRIPE_SECRET_KEY: 'sk_live_0123456789abcdef',
  SEATHOLD_STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
  SEATHOLD_SELLER: JSON.stringify({ name: 'Acme', address: 'Street 1', tax_id: 'DE123' }),
  SEATHOLD_SMTP_URL: 'smtp://mail.example.com',
  SEATHOLD_MAIL_FROM: 'Acme <licenses@example.com>',
  SEATHOLD_METRICS_TOKEN: 'metrics-metrics-metrics',
};

describe('the production check', () => {
  it('reports every default of a first start', async () => {
    expect(await examine({ SEATHOLD_SANDBOX: 'on', ...database(), SANDBOX_DATABASE_URL: `${url}x` })).toEqual([
      'fault addresses',
      'fault certificate',
      'fault payments',
      'fault seller',
      'fault mail',
      'warning metrics',
      'warning sandbox',
      'fault catalogue',
      'warning backup',
    ]);
  });

  it('passes once everything is set, the prices are yours and a backup exists', async () => {
    const opened = new Database(url, { connections: 1, maxWaiting: 1 }, () => undefined);
    const example = await readFile(new URL('../billing/catalogue/default-catalogue.yaml', import.meta.url), 'utf8');
    await applyCatalogue(opened, parseCatalogue(example.replace('price: 2900', 'price: 3900')));
    await opened.close();
    await writeFile(join(folder, 'last-backup'), '');
    expect(await examine({ ...database(), ...LIVE })).toEqual([]);
    const longAgo = new Date(Date.now() - 72 * 3_600_000);
    await utimes(join(folder, 'last-backup'), longAgo, longAgo);
    expect(await examine({ ...database(), ...LIVE })).toEqual(['fault backup']);
    await rm(join(folder, 'last-backup'));
  });

  it.each([
    ['a Stripe test key', { SEATHOLD_STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef' }, 'fault payments'],
    ['payments to another address', { SEATHOLD_STRIPE_API_BASE: 'http://double.test' }, 'warning payments'],
    ['a sandbox at localhost', { SEATHOLD_SANDBOX: 'on', SANDBOX_DATABASE_URL: 'postgres://a/b' }, 'fault addresses'],
    ['an issuer at localhost', { SEATHOLD_AUTH_URL: 'https://localhost/oauth' }, 'fault addresses'],
    ['a seller without an address', { SEATHOLD_SELLER: 'Acme' }, 'warning seller'],
    ['mails from localhost', { SEATHOLD_MAIL_FROM: 'a@localhost' }, 'fault mail'],
    ['no rate limits', { SEATHOLD_RATE_LIMITS: 'off' }, 'fault rate limits'],
    ['webhooks into a private network', { SEATHOLD_WEBHOOK_ALLOW_NETWORKS: '10.0.0.0/8' }, 'warning webhooks'],
    [
      'metrics behind a proxy on the same machine',
      { SEATHOLD_HOST: 'localhost', SEATHOLD_METRICS_TOKEN: '' },
      'fault metrics',
    ],
    [
      'an open port of a worker without a token',
      { SEATHOLD_METRICS_HOST: '0.0.0.0', SEATHOLD_METRICS_TOKEN: '' },
      'fault metrics',
    ],
  ])('reports %s', async (_, settings, finding) => {
    expect(await examine({ ...database(), ...LIVE, ...settings })).toContain(finding);
  });

  it.each([
    [{}, 'Stripe, with a live key, without a card form in the dashboard'],
    [
      { SEATHOLD_STRIPE_PUBLISHABLE_KEY: 'pk_live_0123456789abcdef' },
      'Stripe, with a live key, with a card form in the dashboard',
    ],
  ])('shows whether customers can enter cards in the dashboard: %o', async (settings, text) => {
    const live = { ...database(), ...LIVE, ...settings };
    const findings = await examineProduction({ SEATHOLD_DATA_DIR: folder, SEATHOLD_SANDBOX: 'off', ...live });
    expect(findings.find(({ check }) => check === 'payments')).toMatchObject({ ok: true, detail: text });
  });

  it('reports a wrong setting, and an unreachable database', async () => {
    expect(await examine({ SEATHOLD_PORT: 'x' })).toEqual(['fault settings']);
    expect(await examine({ ...database(), ...LIVE, DATABASE_URL: 'postgres://127.0.0.1:1/x' })).toContain(
      'fault catalogue',
    );
  });
});

it('the examination of an installation omits a disabled sandbox, and checks the timeouts', async () => {
  const findings = await examineInstallation({ SEATHOLD_DATA_DIR: folder, SEATHOLD_SANDBOX: 'off', ...database() });
  expect(findings.map(({ check, ok }) => [check, ok])).toEqual([
    ['production: settings, database, schema and master key', true],
    ['production: seats', true],
    ['production: connection timeouts', true],
    ['production: mail', true],
    ['production: master keys', true],
    ['production: payments', true],
  ]);
});
