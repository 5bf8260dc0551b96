import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LicensedService, Program } from './licensed-service.ts';

const SAMPLE = resolve(import.meta.dirname, '../../../samples/air-gapped-site');

/** The service, and a site whose machines never reach it. */
const it = test
  .extend('service', { scope: 'file' }, async ({}, { onCleanup }) => {
    const service = await LicensedService.start({ maxSeats: 2 });
    onCleanup(() => service.close());
    return service;
  })
  .extend('site', async ({ service }, { onCleanup }) => {
    const site = await Site.start(service);
    onCleanup(async () => {
      await site.close();
      await service.releaseAll();
    });
    return site;
  });

describe('a license server of a site without a network', () => {
  it('gives a machine the imported license, and the machine needs nothing else', async ({ service, site }) => {
    const machine = site.addMachine('lab-1');
    expect(await machine.start({ siteUrl: 'http://127.0.0.1:1' })).toEqual([
      1,
      'No license: http://127.0.0.1:1 is not responding\n',
    ]);
    expect(await machine.start()).toEqual([1, 'No license: no_license_yet\n']);
    const carried = await site.carryRequest();
    expect(carried).toMatch(/^lab-1: licensed until .*Z\n1 of 1 machines have a license\.\n$/);
    await service.kill();
    const [code, output] = await machine.start();
    const until = Date.parse(/until (\S+)/.exec(output)?.[1] ?? '');
    expect([code, output]).toEqual([0, expect.stringContaining('with {"ai_assistance":true}')]);
    expect(Math.abs(until - Date.now() - 14 * 86_400_000)).toBeLessThan(60_000);
    expect(await machine.start({ shiftDays: 15 })).toEqual([1, 'No license: expired\n']);
    await service.restart();
    expect(await service.countSeats()).toBe(1);
  });

  it('renews the seats of its machines, and never grants more of them than the license has', async ({
    service,
    site,
  }) => {
    const machines = ['lab-1', 'lab-2', 'lab-3'].map((name) => site.addMachine(name));
    for (const machine of machines) {
      await machine.start();
    }
    const carried = await site.carryRequest();
    expect(carried).toMatch(/\nlab-3: .*\(offline_not_allowed\)\n2 of 3 machines have a license\.\n$/);
    const codes = [];
    for (const machine of machines) {
      codes.push((await machine.start())[0]);
    }
    expect(codes).toEqual([0, 0, 1]);
    await site.carryRequest();
    expect(await service.countSeats()).toBe(2);
  });

  it('learns from the next license file that the license was suspended', async ({ service, site }) => {
    const machine = site.addMachine('lab-1');
    await machine.start();
    await site.carryRequest();
    const { licenses } = site.readLicense();
    expect((await machine.start())[0]).toBe(0);
    await service.changeLicense('suspend');
    expect(await site.carryRequest()).toMatch(/\(license_suspended\)\n0 of 1 machines have a license\.\n$/);
    expect(await machine.start()).toEqual([1, 'No license: no_license_yet\n']);
    // Someone restores the earlier licenses.
    site.writeLicense({ ...site.readLicense(), licenses });
    expect(await machine.start()).toEqual([1, 'No license: revoked\n']);
    await service.changeLicense('reinstate');
  });
});

describe('a program on a site without a network', () => {
  it('does not run with a license that was altered, belongs to another machine, or was signed by someone else', async ({
    site,
  }) => {
    const [machine, other] = [site.addMachine('lab-1'), site.addMachine('lab-2')];
    await machine.start();
    await site.carryRequest();
    const good = site.readLicense();
    const [license] = good.licenses;
    const token = license?.license_token ?? '';
    const [header = '', claims = '', signature = ''] = token.split('.');
    const changed = Buffer.from(claims, 'base64url').toString().replace('true', '1000');
    const forged = [header, Buffer.from(changed).toString('base64url'), signature].join('.');
    site.writeLicense({ ...good, licenses: [{ hardware_id: machine.hardwareId, license_token: forged }] });
    expect(await machine.start()).toEqual([1, 'No license: signature\n']);
    site.writeLicense({ ...good, licenses: [{ hardware_id: other.hardwareId, license_token: token }] });
    expect(await other.start()).toEqual([1, 'No license: hardware\n']);
    site.writeLicense(good);
    expect((await machine.start())[0]).toBe(0);
    expect(await machine.start({ keys: site.otherKeys() })).toEqual([1, 'No license: signature\n']);
  });
});

interface LicenseFile {
  licenses: Array<{ hardware_id: string; license_token: string }>;
  revocations: string;
}

/** The sample as installed at a site, its server, and its machines. */
class Site {
  readonly #folder: string;
  readonly #service: LicensedService;
  readonly #server: Program;

  private constructor(folder: string, service: LicensedService, server: Program) {
    this.#folder = folder;
    this.#service = service;
    this.#server = server;
  }

  static async start(service: LicensedService): Promise<Site> {
    const folder = mkdtempSync(join(tmpdir(), 'air-gapped-site-'));
    cpSync(SAMPLE, folder, { recursive: true });
    symlinkSync(resolve(SAMPLE, '../../node_modules'), join(folder, 'node_modules'));
    const keys = new Program(
      [join(folder, 'save-public-keys.mjs'), join(folder, 'public-keys.json')],
      service.createEnvironment(),
    );
    expect([await keys.ended, keys.output]).toEqual([[0, null], '']);
    // Nothing at the site knows where the service is.
    const server = new Program([join(folder, 'license-server.mjs')], { SITE_FOLDER: folder, SITE_PORT: '0' });
    await expect.poll(() => server.output).toContain('http://');
    return new Site(folder, service, server);
  }

  addMachine(name: string): Machine {
    const { HARDWARE_ID: hardwareId = '' } = this.#service.createEnvironment();
    const url = /http:\S+/.exec(this.#server.output)?.[0] ?? '';
    return new Machine(join(this.#folder, 'program.mjs'), hardwareId, {
      SITE_URL: url,
      MACHINE_NAME: name,
      PUBLIC_KEYS: join(this.#folder, 'public-keys.json'),
    });
  }

  /**
   * Carries the request file to a computer with a network, and the license file back. Returns what that computer
   * printed.
   */
  async carryRequest(): Promise<string> {
    const files = [join(this.#folder, 'request.json'), join(this.#folder, 'license.json')];
    const { HARDWARE_ID: _, ...env } = this.#service.createEnvironment();
    const program = new Program([join(this.#folder, 'fulfil.mjs'), ...files], env);
    await program.ended;
    expect(existsSync(files[1] ?? '')).toBe(true);
    return program.output;
  }

  readLicense(): LicenseFile {
    return JSON.parse(readFileSync(join(this.#folder, 'license.json'), 'utf8'));
  }

  writeLicense(file: LicenseFile): void {
    writeFileSync(join(this.#folder, 'license.json'), JSON.stringify(file));
  }

  /** A file of other public keys with the names of the service's keys. */
  otherKeys(): string {
    const { issuer, keys } = JSON.parse(readFileSync(join(this.#folder, 'public-keys.json'), 'utf8'));
    const path = join(this.#folder, 'other-keys.json');
    const others = keys.map((key: { n: string }) => ({ ...key, n: `${key.n.slice(0, -4)}AAAA` }));
    writeFileSync(path, JSON.stringify({ issuer, keys: others }));
    return path;
  }

  async close(): Promise<void> {
    this.#server.signal('SIGTERM');
    expect(await this.#server.ended).toEqual([0, null]);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A machine at the site. */
class Machine {
  readonly hardwareId: string;
  readonly #program: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(program: string, hardwareId: string, env: Readonly<Record<string, string>>) {
    this.hardwareId = hardwareId;
    this.#program = program;
    this.#env = env;
  }

  /**
   * Starts the program, optionally some days from now, with other keys or at another site. Returns its exit code and
   * output.
   */
  async start({ shiftDays = 0, keys = '', siteUrl = '' } = {}): Promise<[unknown, string]> {
    const clock = `const now = Date.now; Date.now = () => now() + ${shiftDays * 86_400_000};`;
    const words = shiftDays === 0 ? [] : ['--import', `data:text/javascript,${encodeURIComponent(clock)}`];
    const env = {
      ...this.#env,
      HARDWARE_ID: this.hardwareId,
      ...(keys && { PUBLIC_KEYS: keys }),
      ...(siteUrl && { SITE_URL: siteUrl }),
    };
    const program = new Program([...words, this.#program], env);
    const [code] = await program.ended;
    return [code, program.output];
  }
}
