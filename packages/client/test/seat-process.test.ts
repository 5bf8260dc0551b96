import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LicensedService, Program } from './licensed-service.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const SAMPLE = resolve(ROOT, 'samples/command-line/render.mjs');

const it = test.extend('service', { scope: 'file' }, async ({}, { onCleanup }) => {
  const service = await LicensedService.start();
  onCleanup(() => service.close());
  return service;
});

it('the sample does its work with a seat, and releases it', async ({ service }) => {
  const program = new Program([SAMPLE, '2'], service.createEnvironment());
  expect(await program.ended).toEqual([0, null]);
  expect(program.output).toMatch(/^Seat acquired\..*\nframe 1\nframe 2\n$/);
  expect(await service.countSeats()).toBe(0);
});

it('a program keeps its seat when the service is killed and restarted, and releases it on SIGTERM', async ({
  service,
}) => {
  const program = new Program([SAMPLE, '100000'], service.createEnvironment());
  await expect.poll(() => program.output).toContain('frame 1\n');
  await service.kill();
  await expect.poll(() => program.output).toContain('The license service is not responding.');
  await service.restart();
  await expect.poll(() => program.output).toContain('Seat online.');
  expect(program.output).not.toContain('lost');
  expect(await service.countSeats()).toBe(1);
  program.signal('SIGTERM');
  expect(await program.ended).toEqual([null, 'SIGTERM']);
  expect(await service.countSeats()).toBe(0);
});

it('a program that waits in line gets the seat when the first is interrupted', async ({ service }) => {
  const first = new Program([SAMPLE, '100000'], service.createEnvironment());
  await expect.poll(() => first.output).toContain('frame 1\n');
  const second = new Program([SAMPLE, '1'], service.createEnvironment());
  await expect.poll(() => second.output).toContain('Number 1 in line.');
  first.signal('SIGINT');
  expect(await first.ended).toEqual([null, 'SIGINT']);
  expect(await second.ended).toEqual([0, null]);
  expect(second.output).toContain('frame 1\n');
});

it('a program that exits by itself releases its seat automatically', async ({ service }) => {
  const program = `import { Seat } from '@seathold/client/seats';
    const { SEATHOLD_URL: baseUrl, SEATHOLD_TOKEN: token, LICENSE_KEY: licenseKey, HARDWARE_ID: hardwareId } = process.env;
    const seat = await Seat.acquire({ baseUrl, token, licenseKey, hardwareId });
    console.log(seat.state);`;
  const running = new Program(['--input-type=module', '--eval', program], service.createEnvironment());
  expect(await running.ended).toEqual([0, null]);
  expect(running.output).toBe('held\n');
  expect(await service.countSeats()).toBe(0);
});

it('a program with its own SIGTERM listener decides when it exits, and its seat is released meanwhile', async ({
  service,
}) => {
  const program = `import { Seat } from '@seathold/client/seats';
    const { SEATHOLD_URL: baseUrl, SEATHOLD_TOKEN: token, LICENSE_KEY: licenseKey, HARDWARE_ID: hardwareId } = process.env;
    process.on('SIGTERM', () => console.log('saving'));
    await Seat.acquire({ baseUrl, token, licenseKey, hardwareId, onEnd: () => { console.log('released'); process.exit(3); } });
    console.log('held');
    setInterval(() => {}, 1000);`;
  const running = new Program(['--input-type=module', '--eval', program], service.createEnvironment());
  await expect.poll(() => running.output).toBe('held\n');
  running.signal('SIGTERM');
  expect(await running.ended).toEqual([3, null]);
  expect(running.output).toBe('held\nsaving\nreleased\n');
  expect(await service.countSeats()).toBe(0);
});

describe('the code of docs/how-to/keep-a-seat.md', () => {
  it('acquires a seat in five lines, and needs no more to release it', async ({ service }) => {
    const running = await runExample(service, 'A seat in five lines');
    expect(await running.ended).toEqual([0, null]);
    expect(running.output).toMatch(/^Licensed until .* \{ ai_assistance: true \}\n$/);
    expect(await service.countSeats()).toBe(0);
  });

  it('starts offline with the seat that it stored', async ({ service }) => {
    const env = service.createEnvironment();
    const online = await runExample(service, 'Ship it offline', env);
    expect(await online.ended).toEqual([0, null]);
    expect(online.output).toMatch(/^granted acquired\nLicensed until /);
    // An offline seat remains taken when the program exits.
    expect(await service.countSeats()).toBe(1);
    const cut = `globalThis.fetch = async () => { throw new TypeError('cut'); };`;
    const offline = await runExample(service, 'Ship it offline', env, cut);
    expect(await offline.ended).toEqual([0, null]);
    expect(offline.output).toMatch(/^granted resumed\noffline connection_failed\nLicensed until /);
    const back = await runExample(service, 'Ship it offline', env, '', 'await seat.release();');
    expect(await back.ended).toEqual([0, null]);
    expect(await service.countSeats()).toBe(0);
  });

  it('acquires seats with the license key alone', async ({ service }) => {
    const { SEATHOLD_TOKEN: _token, ...env } = service.createEnvironment();
    for (const activation of ['new', 'stored']) {
      const running = await runExample(service, 'Kiosks, render farms and CI runners', env);
      expect([activation, await running.ended, running.output]).toEqual([activation, [0, null], 'granted acquired\n']);
    }
    expect(await service.countSeats()).toBe(0);
  });
});

/** Runs the code under a heading of the page, with more code before and after it. */
async function runExample(
  service: LicensedService,
  heading: string,
  env = service.createEnvironment(),
  before = '',
  after = '',
) {
  const page = await readFile(resolve(ROOT, 'docs/how-to/keep-a-seat.md'), 'utf8');
  const section = page.split(`## ${heading}\n`)[1] ?? '';
  const code = /```js\n(.*?)```/s.exec(section)?.[1] ?? '';
  return new Program(['--input-type=module', '--eval', `${before}\n${code}\n${after}`], env);
}
