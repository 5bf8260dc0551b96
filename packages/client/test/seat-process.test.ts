import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { HttpsClient } from '../../server/test/torture/https-client.ts';
import { readAuthority, type ServerProcess, startServer } from '../../server/test/torture/server-process.ts';
import { issueLicenses, signUp, World } from '../../server/test/torture/world.ts';

const SAMPLE = resolve(import.meta.dirname, '../../../samples/command-line/render.mjs');
const CLIENT = resolve(import.meta.dirname, '../src/seats/index.ts');

/** A service in a process of its own, and a license of it with one seat. */
class Place {
  readonly #world: World;
  readonly #settings: Record<string, string>;
  readonly #client: HttpsClient;
  readonly #license: { id: string; key: string };
  readonly #token: string;
  #server: ServerProcess;

  private constructor(parts: {
    world: World;
    settings: Record<string, string>;
    client: HttpsClient;
    license: { id: string; key: string };
    token: string;
    server: ServerProcess;
  }) {
    this.#world = parts.world;
    this.#settings = parts.settings;
    this.#client = parts.client;
    this.#license = parts.license;
    this.#token = parts.token;
    this.#server = parts.server;
  }

  static async start(): Promise<Place> {
    const world = await World.start();
    const given = await world.settings('server');
    const settings = { ...given, SEATHOLD_BASE_URL: `https://localhost:${given.SEATHOLD_PORT}` };
    const server = await startServer(settings);
    const client = new HttpsClient([await readAuthority(server.dataDir)]);
    const { token, organizationId } = await signUp(client, server.baseUrl, 'ada');
    const [license = { id: '', key: '' }] = await issueLicenses(world.database, organizationId, [1]);
    return new Place({ world, settings, client, license, token, server });
  }

  /** What a program on a machine of its own gets. */
  createEnvironment(): Record<string, string> {
    const hardwareId = `hw_${randomBytes(16).toString('hex')}`;
    return {
      PATH: process.env.PATH ?? '',
      NODE_EXTRA_CA_CERTS: join(this.#server.dataDir, 'tls', 'ca.pem'),
      SEATHOLD_URL: this.#settings.SEATHOLD_BASE_URL ?? '',
      SEATHOLD_TOKEN: this.#token,
      LICENSE_KEY: this.#license.key,
      HARDWARE_ID: hardwareId,
      SEAT_FILE: join(this.#world.folder, hardwareId, 'seat.json'),
    };
  }

  async kill(): Promise<void> {
    await this.#server.end('SIGKILL');
  }

  async restart(): Promise<void> {
    this.#server = await startServer(this.#settings);
  }

  async countSeats(): Promise<number> {
    const url = `${this.#server.baseUrl}/v1/licenses/${this.#license.id}`;
    const answer = await this.#client.call('GET', url, { token: this.#token });
    return answer.kind === 'answer' ? answer.body.data.active_seats : Number.NaN;
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#world.close();
  }
}

/** A program that runs, and what it printed. */
class Program {
  readonly ended: Promise<unknown[]>;
  readonly #child: ChildProcess;
  output = '';

  constructor(words: readonly string[], env: Readonly<Record<string, string>>) {
    this.#child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.ended = once(this.#child, 'close');
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

const it = test.extend('place', { scope: 'file' }, async ({}, { onCleanup }) => {
  const place = await Place.start();
  onCleanup(() => place.close());
  return place;
});

it('the sample does its work with a seat, and gives it back', async ({ place }) => {
  const program = new Program([SAMPLE, '2'], place.createEnvironment());
  expect(await program.ended).toEqual([0, null]);
  expect(program.output).toMatch(/^Seat acquired\..*\nframe 1\nframe 2\n$/);
  expect(await place.countSeats()).toBe(0);
});

it('a program keeps its seat when the service is killed and started again, and SIGTERM gives it back', async ({
  place,
}) => {
  const program = new Program([SAMPLE, '100000'], place.createEnvironment());
  await expect.poll(() => program.output).toContain('frame 1\n');
  await place.kill();
  await expect.poll(() => program.output).toContain('The license service does not answer.');
  await place.restart();
  await expect.poll(() => program.output).toContain('Seat online.');
  expect(program.output).not.toContain('lost');
  expect(await place.countSeats()).toBe(1);
  program.signal('SIGTERM');
  expect(await program.ended).toEqual([null, 'SIGTERM']);
  expect(await place.countSeats()).toBe(0);
});

it('a program that waits in line takes the seat when the first is interrupted', async ({ place }) => {
  const first = new Program([SAMPLE, '100000'], place.createEnvironment());
  await expect.poll(() => first.output).toContain('frame 1\n');
  const second = new Program([SAMPLE, '1'], place.createEnvironment());
  await expect.poll(() => second.output).toContain('Number 1 in line.');
  first.signal('SIGINT');
  expect(await first.ended).toEqual([null, 'SIGINT']);
  expect(await second.ended).toEqual([0, null]);
  expect(second.output).toContain('frame 1\n');
});

it('a program that ends by itself gives its seat back without being told to', async ({ place }) => {
  const program = `import { Seat } from ${JSON.stringify(CLIENT)};
    const { SEATHOLD_URL: baseUrl, SEATHOLD_TOKEN: token, LICENSE_KEY: licenseKey, HARDWARE_ID: hardwareId } = process.env;
    const seat = await Seat.acquire({ baseUrl, token, licenseKey, hardwareId });
    console.log(seat.state);`;
  const running = new Program(['--input-type=module', '--eval', program], place.createEnvironment());
  expect(await running.ended).toEqual([0, null]);
  expect(running.output).toBe('held\n');
  expect(await place.countSeats()).toBe(0);
});

it('a program that listens to SIGTERM itself decides when it ends, and its seat is given back meanwhile', async ({
  place,
}) => {
  const program = `import { Seat } from ${JSON.stringify(CLIENT)};
    const { SEATHOLD_URL: baseUrl, SEATHOLD_TOKEN: token, LICENSE_KEY: licenseKey, HARDWARE_ID: hardwareId } = process.env;
    process.on('SIGTERM', () => console.log('saving'));
    await Seat.acquire({ baseUrl, token, licenseKey, hardwareId, onEnd: () => { console.log('released'); process.exit(3); } });
    console.log('held');
    setInterval(() => {}, 1000);`;
  const running = new Program(['--input-type=module', '--eval', program], place.createEnvironment());
  await expect.poll(() => running.output).toBe('held\n');
  running.signal('SIGTERM');
  expect(await running.ended).toEqual([3, null]);
  expect(running.output).toBe('held\nsaving\nreleased\n');
  expect(await place.countSeats()).toBe(0);
});
