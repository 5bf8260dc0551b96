import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureLocalCertificate } from '../security/index.ts';
import { parseWebhookSettings } from './parse-webhook-settings.ts';

let dir: string;
let certificate: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'seathold-ca-'));
  certificate = (await ensureLocalCertificate({ dir, hostnames: ['localhost'], now: new Date() })).caPem;
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const problemsOf = (environment: Record<string, string>) =>
  parseWebhookSettings(environment).problems.map((each) => each.name);

describe('the settings of webhooks', () => {
  it('open no network and trust no other authority by default', () => {
    expect(parseWebhookSettings({})).toEqual({ allowNetworks: [], extraCa: undefined, problems: [] });
  });

  it('refuse an invalid network', () => {
    expect(problemsOf({ SEATHOLD_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8, ten.0.0.0/8' })).toEqual([
      'SEATHOLD_WEBHOOK_ALLOW_NETWORKS',
    ]);
  });

  it('accept a file of several certificates, and refuse one that is missing, empty, or has a broken certificate anywhere', async () => {
    const write = async (name: string, text: string) => {
      await writeFile(join(dir, name), text);
      return { SEATHOLD_WEBHOOK_CA_FILE: join(dir, name) };
    };
    const two = parseWebhookSettings(await write('two.pem', `# ours\n${certificate}\n${certificate}`));
    expect([two.problems, two.extraCa?.match(/BEGIN/g)]).toEqual([[], ['BEGIN', 'BEGIN']]);
    const broken = certificate.replace(/[A-Za-z0-9]{20}/, 'AAAAAAAAAAAAAAAAAAAA');
    for (const environment of [
      { SEATHOLD_WEBHOOK_CA_FILE: join(dir, 'nowhere.pem') },
      await write('empty.pem', ''),
      await write('broken.pem', `${certificate}\n${broken}`),
    ]) {
      expect(problemsOf(environment)).toEqual(['SEATHOLD_WEBHOOK_CA_FILE']);
    }
  });
});
