import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { LicensedService } from './licensed-service.ts';

const SAMPLE = resolve(import.meta.dirname, '../../../samples/electron');
const DOUBLE = resolve(import.meta.dirname, 'electron-double.ts');

const it = test.extend('service', { scope: 'file' }, async ({}, { onCleanup }) => {
  const service = await LicensedService.start();
  onCleanup(() => service.close());
  return service;
});

/** The sample with a stand-in for Electron, and what its window did. */
class Application {
  readonly shown: string[] = [];
  readonly told: Array<Record<string, unknown>> = [];
  readonly ended: Promise<unknown[]>;
  readonly #child: ChildProcess;

  constructor(service: LicensedService) {
    const env = { ...service.createEnvironment(), ELECTRON_FOLDER: service.folder };
    this.#child = fork(resolve(SAMPLE, 'main.mjs'), { env, execArgv: ['--import', DOUBLE], stdio: 'inherit' });
    this.ended = once(this.#child, 'exit');
    this.#child.on('message', (message: Record<string, unknown>) => {
      this.told.push(message);
      if (typeof message.shows === 'string') {
        this.shown.push(message.shows);
      }
    });
  }

  tell(message: string): void {
    this.#child.send(message);
  }
}

it('the window shows the seat that the main process holds, through an outage, and quitting releases it', async ({
  service,
}) => {
  const application = new Application(service);
  await expect.poll(() => application.shown.at(-1)).toMatch(/^Licensed until /);
  expect(application.shown[0]).toBe('Asking for a seat …');
  expect(await service.countSeats()).toBe(1);
  await service.kill();
  await expect.poll(() => application.shown.at(-1)).toMatch(/^The license service is not responding\./);
  await service.restart();
  await expect.poll(() => application.shown.at(-1)).toMatch(/^Licensed until /);
  application.tell('quit');
  expect(await application.ended).toEqual([0, null]);
  expect(await service.countSeats()).toBe(0);
});

it('an application that waits in line shows it, and quitting leaves the line', async ({ service }) => {
  const session = await service.takeSeat();
  const application = new Application(service);
  await expect.poll(() => application.shown.at(-1)).toBe('All seats are in use. Number 1 in line.');
  application.tell('quit');
  expect(await application.ended).toEqual([0, null]);
  await service.releaseSeat(session);
  // Nobody in line has the seat reserved.
  await service.releaseSeat(await service.takeSeat());
});

it('the page is isolated, opens no windows, and is the only page that gets an answer', async ({ service }) => {
  const application = new Application(service);
  await expect.poll(() => application.shown.at(-1)).toMatch(/^Licensed until /);
  application.tell('ask as another page');
  await expect.poll(() => application.told).toContainEqual({ answer: 'This page may not ask.' });
  expect(application.told).toContainEqual({
    webPreferences: {
      preload: resolve(SAMPLE, 'preload.cjs'),
      contextIsolation: true,
      nodeIntegration: false,
      sandbox: true,
    },
  });
  expect(application.told).toContainEqual({ opens: { action: 'deny' } });
  application.tell('quit');
  await application.ended;
  const page = readFileSync(resolve(SAMPLE, 'index.html'), 'utf8');
  expect(page).toContain(`content="default-src 'none'; script-src 'self'"`);
  // Its policy would refuse them.
  expect(page).not.toMatch(/<script(?![^>]* src=)|<style|style=| on\w+=/);
});
