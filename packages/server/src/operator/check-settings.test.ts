import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureLocalCertificate } from '../security/index.ts';
import { findConfigProblems } from './check-settings.ts';
import { examineInstallation } from './examine-installation.ts';

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seathold-settings-'));
  file = join(folder, 'notes.txt');
  await writeFile(file, 'neither a folder nor a certificate');
});
afterAll(() => rm(folder, { recursive: true }));

const namesOf = (environment: Record<string, string>) => findConfigProblems(environment).map(({ name }) => name);

describe('the check of all settings', () => {
  it('includes the settings of webhooks', () => {
    expect(namesOf({ SEATHOLD_WEBHOOK_ALLOW_NETWORKS: 'intranet' })).toEqual(['SEATHOLD_WEBHOOK_ALLOW_NETWORKS']);
    expect(namesOf({ SEATHOLD_WEBHOOK_CA_FILE: file })).toEqual(['SEATHOLD_WEBHOOK_CA_FILE']);
  });

  it('refuses a file, and a path below a file, where a folder is needed', () => {
    for (const path of [file, join(file, 'data')]) {
      expect(namesOf({ SEATHOLD_DATA_DIR: path })).toEqual(['SEATHOLD_DATA_DIR']);
      expect(namesOf({ SEATHOLD_BACKUP_DIR: path })).toEqual(['SEATHOLD_BACKUP_DIR']);
    }
    expect(namesOf({ SEATHOLD_DATA_DIR: folder, SEATHOLD_BACKUP_DIR: join(folder, 'not', 'yet') })).toEqual([]);
  });

  it('refuses a certificate that cannot be served', async () => {
    const make = (name: string) =>
      ensureLocalCertificate({ dir: join(folder, name), hostnames: ['localhost'], now: new Date() });
    const [first, other] = [await make('first'), await make('other')];
    const [cert, key, otherKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem'), join(folder, 'other.pem')];
    await Promise.all([
      writeFile(cert, first.certPem),
      writeFile(key, first.keyPem),
      writeFile(otherKey, other.keyPem),
    ]);
    const check = (certPath: string, keyPath: string) =>
      namesOf({ SEATHOLD_TLS_CERT: certPath, SEATHOLD_TLS_KEY: keyPath });

    expect(check(cert, key)).toEqual([]);
    expect(check(file, join(folder, 'missing.pem'))).toEqual(['SEATHOLD_TLS_CERT', 'SEATHOLD_TLS_KEY']);
    expect(check(cert, otherKey)).toEqual(['SEATHOLD_TLS_KEY']);

    const [der, chain] = [join(folder, 'cert.der'), join(folder, 'chain.pem')];
    await writeFile(der, new X509Certificate(first.certPem).raw);
    const block = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    await writeFile(chain, `${new X509Certificate(first.certPem)}${block}`);
    expect(check(der, key)).toEqual(['SEATHOLD_TLS_CERT']);
    expect(check(chain, key)).toEqual(['SEATHOLD_TLS_CERT']);
  });

  it('refuses parts of a public URL that would be dropped', () => {
    for (const url of ['https://api.example.com/#a', 'https://:secret@api.example.com']) {
      expect(namesOf({ SEATHOLD_BASE_URL: url })).toEqual(['SEATHOLD_BASE_URL']);
    }
  });

  it('is part of what the doctor examines', async () => {
    const findings = await examineInstallation({
      SEATHOLD_DATA_DIR: folder,
      SEATHOLD_WEBHOOK_ALLOW_NETWORKS: 'intranet',
    });
    expect(findings).toContainEqual({
      check: 'settings',
      ok: false,
      detail: expect.stringMatching(/^SEATHOLD_WEBHOOK_ALLOW_NETWORKS "intranet" /),
    });
  });

  it('makes the doctor report a backup key that is the master key of the data folder', async () => {
    const key = randomBytes(32).toString('base64');
    await writeFile(join(folder, 'master.key'), key);
    const findings = await examineInstallation({ SEATHOLD_DATA_DIR: folder, SEATHOLD_BACKUP_KEY: key });
    expect(findings.filter(({ detail }) => detail.startsWith('SEATHOLD_BACKUP_KEY'))).toHaveLength(1);
  });

  it('is complete for the doctor even if another setting is wrong', async () => {
    const findings = await examineInstallation({ SEATHOLD_PORT: 'high', SEATHOLD_WEBHOOK_ALLOW_NETWORKS: 'intranet' });
    const details = findings.filter(({ ok }) => !ok).map(({ detail }) => detail);
    expect(details.filter((detail) => detail.startsWith('SEATHOLD_WEBHOOK_ALLOW_NETWORKS'))).toHaveLength(1);
    expect(details.some((detail) => detail.includes('SEATHOLD_PORT'))).toBe(true);
  });
});
