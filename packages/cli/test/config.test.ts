import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';

const LAUNCHER = createRequire(import.meta.url).resolve('seathold/bin/seathold.js');

function config(words: readonly string[], env: Readonly<Record<string, string>>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, 'config', ...words], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('seathold config', () => {
  it('names variables that look like settings but are not, except those that commands read', () => {
    const env = { SEATHOLD_PORTT: '9443', SEATHOLD_PORT: '9444', SEATHOLD_URL: 'https://localhost:9444', OTHER: 'x' };
    const shown = config([], env);
    expect(shown).toMatchObject({
      status: 0,
      stderr: 'seathold: SEATHOLD_PORTT is not a setting, and has no effect\n',
    });
    expect(shown.stdout).toMatch(/^SEATHOLD_PORT +9444/m);
    expect(JSON.parse(config(['--json'], env).stdout)).toMatchObject({ problems: [], unknown: ['SEATHOLD_PORTT'] });
  });

  it('ends with 78 and a line for each problem', () => {
    const shown = config([], { SEATHOLD_PORT: 'high', SEATHOLD_HOST: 'localhost:80' });
    expect(shown.status).toBe(78);
    expect(shown.stderr).toMatch(/^seathold: SEATHOLD_PORT .+$/m);
    expect(shown.stderr).toMatch(/^seathold: SEATHOLD_HOST .+$/m);
  });
});
