import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { describe, expect } from 'vitest';
import { createCliTest } from './cli-world.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const BODY = JSON.stringify({
  id: 'evt_01kagt2m8xf3q9wz5r7e6b4c1g',
  type: 'license.expired',
  created: '2026-01-31T12:00:00.000Z',
  data: { object: { id: 'lic_01kagt2m8xf3q9wz5r7e6b4c1g' } },
  organization_id: 'org_01kagt2m8xf3q9wz5r7e6b4c1h',
});

const it = createCliTest()
  .extend('folder', { scope: 'file' }, () => mkdtemp(join(tmpdir(), 'seathold-verify-')))
  .extend('bodyFile', { scope: 'file' }, ({ folder }) => join(folder, 'body.json'))
  .extend('secretFile', { scope: 'file' }, ({ folder }) => join(folder, 'secret'))
  .extend('verify', ({ world, bodyFile, secretFile }) => (words: readonly string[]) => {
    return world.run(['webhooks', 'verify', '--secret-file', secretFile, '--body-file', bodyFile, ...words]);
  });
it.beforeAll(async ({ bodyFile, secretFile }) => {
  await writeFile(bodyFile, BODY);
  await writeFile(secretFile, `${SECRET}\n`);
});
it.afterAll(async ({ folder }) => {
  await rm(folder, { recursive: true });
});

describe('a delivery signed by another library', () => {
  it('is genuine with the secret from a file, from standard input or from the environment', async ({
    world,
    bodyFile,
    secretFile,
  }) => {
    const genuine = { code: 0, stdout: expect.stringContaining('Genuine: license.expired evt_') };
    const words = ['webhooks', 'verify', '--signature', sign()];
    expect(await world.run([...words, '--secret-file', secretFile], { stdin: BODY })).toMatchObject(genuine);
    const stdin = `${SECRET}\n`;
    expect(await world.run([...words, '--secret-stdin', '--body-file', bodyFile], { stdin })).toMatchObject(genuine);
    const env = { SEATHOLD_WEBHOOK_SECRET: SECRET };
    expect(await world.run([...words, '--body-file', bodyFile], { env })).toMatchObject(genuine);
  });

  it('is genuine with its headers in any letter case', async ({ verify }) => {
    const words = [
      '--header',
      'Content-Type: application/json',
      '--header',
      `x-service-signature: ${sign()}`,
      '--json',
    ];
    const result = await verify(words);
    expect(JSON.parse(result.stdout)).toMatchObject({ valid: true, event: { type: 'license.expired' } });
    expect(result.code).toBe(0);
  });

  it('is genuine with either secret during a rotation', async ({ world, folder, bodyFile }) => {
    const rotated = join(folder, 'rotated');
    await writeFile(rotated, `whsec_${Buffer.alloc(32, 9).toString('base64')}\n${SECRET}\n`);
    const words = ['webhooks', 'verify', '--secret-file', rotated, '--body-file', bodyFile, '--signature', sign()];
    expect(await world.run(words)).toMatchObject({ code: 0 });
  });

  it.for([
    ['no_matching_signature', (): string => sign(0, `${BODY} `)],
    ['timestamp_out_of_tolerance', (): string => sign(-400)],
    ['timestamp_out_of_tolerance', (): string => sign(400)],
    ['malformed_header', (): string => 'v1=abc'],
  ] as const)('is not genuine: %s', async ([reason, makeSignature], { verify }) => {
    const result = await verify(['--signature', makeSignature(), '--json']);
    expect(JSON.parse(result.stdout)).toMatchObject({ valid: false, reason });
    expect(result.code).toBe(1);
  });

  it('is not genuine without the header', async ({ verify }) => {
    const result = await verify([]);
    expect(result).toMatchObject({ code: 1, stdout: expect.stringContaining('missing_header') });
  });

  it('is genuine within the tolerance', async ({ verify }) => {
    expect(await verify(['--signature', sign(-400), '--tolerance', '500'])).toMatchObject({ code: 0 });
  });
});

describe('wrong usage', () => {
  it('is a missing secret', async ({ world, bodyFile }) => {
    const result = await world.run(['webhooks', 'verify', '--signature', sign(), '--body-file', bodyFile]);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('SEATHOLD_WEBHOOK_SECRET') });
  });

  it('is a secret passed as an argument', async ({ world }) => {
    const result = await world.run(['webhooks', 'verify', `--secret=${SECRET}`, '--signature', sign()]);
    expect(result.code).toBe(2);
  });

  it('is reading both secret and body from standard input', async ({ world }) => {
    const result = await world.run(['webhooks', 'verify', '--secret-stdin', '--signature', sign()], { stdin: SECRET });
    expect(result.code).toBe(2);
  });

  it('is a missing file', async ({ folder, verify }) => {
    expect(await verify(['--body-file', join(folder, 'nothing'), '--signature', sign()])).toMatchObject({ code: 2 });
  });
});

function sign(secondsFromNow = 0, payload = BODY): string {
  return Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: SECRET,
    timestamp: Math.floor(Date.now() / 1000) + secondsFromNow,
  });
}
