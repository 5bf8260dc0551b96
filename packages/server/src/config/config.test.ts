import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeConfig, loadConfig } from './index.ts';

describe('settings', () => {
  it('have defaults that work without any setting', () => {
    const { config, problems } = loadConfig({});
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      port: 8443,
      sandboxPort: 8444,
      heartbeatIntervalSeconds: 60,
      seatTimeoutSeconds: 180,
    });
  });

  it('report all problems together, by name', () => {
    const { config, problems } = loadConfig({
      SEATHOLD_PORT: 'https',
      SEATHOLD_BASE_URL: 'http://example.com',
      SEATHOLD_MASTER_KEY: 'short',
      SEATHOLD_ARGON2: 'fast',
      SEATHOLD_LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://x',
      REDIS_URL: 'x',
      SEATHOLD_TLS_CERT: '/cert.pem',
    });
    expect(config).toBeUndefined();
    expect(problems.map((each) => each.name)).toEqual([
      'SEATHOLD_PORT',
      'SEATHOLD_BASE_URL',
      'DATABASE_URL',
      'REDIS_URL',
      'SEATHOLD_MASTER_KEY',
      'SEATHOLD_ARGON2',
      'SEATHOLD_LOG_LEVEL',
      'SEATHOLD_TLS_CERT',
    ]);
  });

  it('read the number of processes, or leave one core free', () => {
    const read = (text: string) => loadConfig({ SEATHOLD_PROCESSES: text });
    expect(read('').config?.processes).toBe(1);
    expect(read('64').config?.processes).toBe(64);
    expect(read('auto').config?.processes).toBe(Math.min(64, Math.max(1, availableParallelism() - 1)));
    for (const text of ['0', '65', '-1', '1.5', 'many']) {
      expect(read(text).problems).toEqual([
        { name: 'SEATHOLD_PROCESSES', problem: 'must be auto or a number between 1 and 64' },
      ]);
    }
  });

  it('refuse an address to listen on that cannot exist', () => {
    const problemsWith = (host: string) => loadConfig({ SEATHOLD_HOST: host }).problems;
    for (const host of ['localhost', '0.0.0.0', '::', 'fd00::1', 'db-1.internal', '1und1.example']) {
      expect(problemsWith(host)).toEqual([]);
    }
    for (const host of ['999.1.1.1', '1.2.3', 'localhost:8443', 'fd00:::1', 'a b']) {
      expect(problemsWith(host)).toEqual([
        { name: 'SEATHOLD_HOST', problem: 'must be a host name or an address, for example 0.0.0.0' },
      ]);
    }
  });

  it('refuse contradictions', () => {
    const names = (environment: Record<string, string>) => loadConfig(environment).problems.map((each) => each.name);
    expect(names({ SEATHOLD_PORT: '9000', SEATHOLD_SANDBOX_PORT: '9000' })).toEqual(['SEATHOLD_SANDBOX_PORT']);
    expect(names({ DATABASE_URL: 'postgres://a/b' })).toEqual(['SANDBOX_DATABASE_URL']);
    expect(names({ DATABASE_URL: 'postgres://a/b', SANDBOX_DATABASE_URL: 'postgres://a/b' })).toEqual([
      'SANDBOX_DATABASE_URL',
    ]);
    expect(names({ SEATHOLD_HEARTBEAT_INTERVAL: '60', SEATHOLD_SESSION_TIMEOUT: '60' })).toEqual([
      'SEATHOLD_SESSION_TIMEOUT',
    ]);
  });

  it('read allowed origins as browsers write them, and refuse those that could never match or match too much', () => {
    const read = (text: string) => loadConfig({ SEATHOLD_ALLOWED_ORIGINS: text });
    expect(read('').config?.allowedOrigins).toEqual([]);
    expect(
      read('https://a.example, https://b.example:8443 ,http://localhost:5173,https://a.example').config,
    ).toMatchObject({ allowedOrigins: ['https://a.example', 'https://b.example:8443', 'http://localhost:5173'] });
    for (const text of [
      '*',
      'null',
      'a.example',
      'http://a.example',
      'https://a.example/',
      'https://a.example/path',
      'https://A.example',
      'https://a.example:443',
      'https://user@a.example',
      'https://*.example',
      'com.example.app://callback',
    ]) {
      expect([text, read(text).problems.map((each) => each.name)]).toEqual([text, ['SEATHOLD_ALLOWED_ORIGINS']]);
    }
  });

  it('report unknown names that look like ours', () => {
    expect(loadConfig({ SEATHOLD_PROT: '1', OTHER: 'x' }).warnings).toEqual(['SEATHOLD_PROT']);
  });

  it('are read from the file in `_FILE` if they are secret', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'settings-'));
    const path = join(folder, 'database-url');
    await writeFile(path, 'postgres://user:pw@host/db\n');
    const read = (environment: Record<string, string>) => loadConfig({ SEATHOLD_SANDBOX: 'off', ...environment });
    expect(read({ DATABASE_URL_FILE: path, SEATHOLD_METRICS_TOKEN_FILE: '' })).toMatchObject({
      config: { databaseUrl: 'postgres://user:pw@host/db' },
      problems: [],
      warnings: [],
    });
    expect(describeConfig({ DATABASE_URL_FILE: path })).toContainEqual(
      expect.objectContaining({ name: 'DATABASE_URL', value: '(hidden)', source: 'file' }),
    );
    const problemsOf = (environment: Record<string, string>) => read(environment).problems.map((each) => each.problem);
    expect(problemsOf({ DATABASE_URL_FILE: path, DATABASE_URL: 'postgres://host/db' })).toEqual([
      'must not be set together with DATABASE_URL_FILE',
    ]);
    expect(problemsOf({ DATABASE_URL_FILE: join(folder, 'none') })).toEqual([
      expect.stringMatching(/^cannot be read from DATABASE_URL_FILE: ENOENT/),
    ]);
    await writeFile(path, '\n');
    expect(problemsOf({ DATABASE_URL_FILE: path })).toEqual(['is empty in DATABASE_URL_FILE']);
    // Only secrets: other settings have no reason to be in a file.
    expect(read({ SEATHOLD_PORT_FILE: path }).warnings).toEqual(['SEATHOLD_PORT_FILE']);
    await rm(folder, { recursive: true });
  });

  it('are printed without their secrets', () => {
    const printed = describeConfig({
      SEATHOLD_MASTER_KEY: 'c2VjcmV0',
      DATABASE_URL: 'postgres://user:pw@host/db',
      SEATHOLD_PORT: '9443',
    });
    expect(JSON.stringify(printed)).not.toMatch(/c2VjcmV0|pw@/);
    expect(printed.find((each) => each.name === 'SEATHOLD_PORT')).toMatchObject({
      value: '9443',
      source: 'environment',
    });
  });
});
