import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LicensedService, Program } from './licensed-service.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const NODE = resolve(ROOT, 'samples/render-farm/render_node.py');
const SEATS = 50;

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;
if (!hasPython) {
  console.log('samples/render-farm: left out, because python3 of version 3.9 or later is not installed');
}

const it = test
  .extend('service', { scope: 'file' }, async ({}, { onCleanup }) => {
    const service = await LicensedService.start({ maxSeats: SEATS });
    onCleanup(() => service.close());
    return service;
  })
  .extend('frames', async ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'render-farm-'));
    onCleanup(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, 'frames'));
    return join(folder, 'frames');
  });

describe.runIf(hasPython)('nodes of a render farm with one key of 50 seats', () => {
  it('render all frames with two free seats, and the others wait in line until one is free', async ({
    service,
    frames,
  }) => {
    const sessions = await Promise.all(Array.from({ length: SEATS - 2 }, () => service.takeSeat()));
    addFrames(frames, 6);
    const first = [startNode(service, frames, 'node-1', '2'), startNode(service, frames, 'node-2', '2')];
    for (const node of first) {
      await expect.poll(() => node.output).toContain('Seat acquired.');
    }
    expect(await service.countSeats()).toBe(SEATS);
    const third = startNode(service, frames, 'node-3', '0');
    await expect.poll(() => third.output).toContain('node-3: All seats are in use. Number 1 in line.');
    for (const node of [...first, third]) {
      expect([await node.ended, node.output]).toEqual([[0, null], expect.stringContaining('Seat acquired.')]);
    }
    expect(readdirSync(frames).toSorted()).toEqual(Array.from({ length: 6 }, (_, index) => `${index + 1}.done`));
    expect(await service.countSeats()).toBe(SEATS - 2);
    await Promise.all(sessions.map((session) => service.releaseSeat(session)));
  });

  it('return their seat and their frame when the scheduler stops them, and need no new activation later', async ({
    service,
    frames,
  }) => {
    addFrames(frames, 1);
    const env = nodeEnvironment(service, 'node-4', '600');
    const stopped = new Program([NODE, frames], env, 'python3');
    await expect.poll(() => readdirSync(frames)).toEqual(['1.node-4']);
    stopped.signal('SIGTERM');
    expect(await stopped.ended).toEqual([143, null]);
    expect(readdirSync(frames)).toEqual(['1.todo']);
    expect(await service.countSeats()).toBe(0);
    const again = new Program([NODE, frames], { ...env, SECONDS_PER_FRAME: '0' }, 'python3');
    expect(await again.ended).toEqual([0, null]);
    expect(again.output).toContain('node-4: 1 done\n');
    expect(await service.countActivations('node-4')).toBe(1);
  });

  it('report why there is no seat', async ({ service, frames }) => {
    const env = { ...nodeEnvironment(service, 'node-5', '0'), LICENSE_KEY: 'AB1CD-2EF3G-4HJ5K-6MN7P' };
    const node = new Program([NODE, frames], env, 'python3');
    expect(await node.ended).toEqual([1, null]);
    expect(node.output).toMatch(/^node-5: No seat: .* \(not_found\)\n$/);
  });
});

function addFrames(folder: string, count: number): void {
  for (let frame = 1; frame <= count; frame += 1) {
    writeFileSync(join(folder, `${frame}.todo`), '');
  }
}

function startNode(service: LicensedService, frames: string, name: string, secondsPerFrame: string): Program {
  return new Program([NODE, frames], nodeEnvironment(service, name, secondsPerFrame), 'python3');
}

function nodeEnvironment(service: LicensedService, name: string, secondsPerFrame: string): Record<string, string> {
  const { NODE_EXTRA_CA_CERTS = '', SEATHOLD_TOKEN: _token, ...env } = service.createEnvironment();
  return {
    ...env,
    // pyenv and similar tools are found by PATH and HOME.
    ...Object.fromEntries(['PATH', 'HOME'].map((each) => [each, process.env[each] ?? ''])),
    PYTHONPATH: resolve(ROOT, 'sdks/python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
    SEATHOLD_CA_FILE: NODE_EXTRA_CA_CERTS,
    NODE_NAME: name,
    SECONDS_PER_FRAME: secondsPerFrame,
  };
}
