// Tries the client on the runtime that runs this, against the service that SEATHOLD_URL names. Prints what works, and ends with 1
// if something does not. With a word, it is one of the programs that it starts.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import {
  createHardwareId,
  deriveHardwareId,
  fileStore,
  Seat,
  Seathold,
  SIGNATURE_HEADER,
  signWebhook,
  verifyWebhook,
} from '@seathold/client';

const { SEATHOLD_URL: baseUrl, SEATHOLD_TOKEN: token, SEATHOLD_LICENSE_KEY: licenseKey } = process.env;
const acquire = (more = {}) => Seat.acquire({ baseUrl, token, licenseKey, hardwareId: createHardwareId(), ...more });

const CHECKS = {
  'takes a seat, reports it, and gives it back': async () => {
    const events = [];
    const seat = await acquire({ onEvent: ({ type }) => events.push(type), metadata: { hostname: 'test' } });
    expect([seat.state, seat.features.ai_assistance !== undefined, events.join()], ['held', true, 'granted']);
    await seat.release();
    expect(seat.state, 'ended');
  },
  'waits in line, and leaves it': async () => {
    const [first, second] = [await acquire(), await acquire()];
    const refusal = await acquire().catch(({ code }) => code);
    const gaveUp = new AbortController();
    const onEvent = ({ type }) => type === 'waiting' && gaveUp.abort(new Error('enough'));
    const reason = await acquire({ waitSeconds: 60, signal: gaveUp.signal, onEvent }).catch(({ message }) => message);
    const third = await acquire({ waitSeconds: 60, onEvent: ({ type }) => type === 'waiting' && void first.release() });
    expect([refusal, reason, third.state], ['no_seats_available', 'enough', 'held']);
    await Promise.all([second.release(), third.release()]);
  },
  'goes offline, and finds the seat in the next run': async () => {
    const path = join(process.cwd(), 'seat', 'seat.json');
    const given = { hardwareId: createHardwareId(), store: fileStore(path) };
    const seat = await acquire(given);
    await seat.takeOffline(600);
    const next = await acquire({ ...given, baseUrl: 'https://localhost:1', issuer: baseUrl, releaseAtExit: false });
    expect([next.state, next.sessionId, (await stat(path)).mode & 0o777], ['offline', seat.sessionId, 0o600]);
    await seat.release();
    await rm(path, { force: true });
  },
  'activates a machine with the license key': async () => {
    const key = process.env.SEATHOLD_ACTIVATION_KEY;
    const seat = await acquire({ token: undefined, licenseKey: key, name: 'Kiosk' });
    await seat.release();
  },
  'derives the ID of the machine': async () => {
    expect(/^hw_[0-9a-f]{32}$/.test((await deriveHardwareId()) ?? ''), true);
  },
  'gives the seat back when the program ends by itself': () => tryEnding('return'),
  'gives the seat back at SIGTERM, and ends by it': () => tryEnding('sigterm'),
  'calls the typed API, page by page': async () => {
    const seathold = new Seathold({ baseUrl, token });
    const keys = [];
    for await (const license of seathold.licenses.list({ limit: 1 })) {
      keys.push(license.key);
    }
    expect(keys.includes(licenseKey), true);
    const missing = await seathold.licenses.get('lic_01kagt2m8xf3q9wz5r7e6b4c1d').catch((error) => error);
    expect([missing.name, missing.code], ['NotFoundError', 'not_found']);
  },
  'verifies webhooks': async () => {
    const event = {
      id: 'evt_1',
      type: 'license.expired',
      created: '2026-02-01T12:00:00.000Z',
      organization_id: 'org_1',
    };
    const [body, secret] = [JSON.stringify({ ...event, data: { object: {} } }), 'a secret of the test'];
    const headers = { [SIGNATURE_HEADER]: await signWebhook(body, secret) };
    expect((await verifyWebhook(body, headers, secret)).id, 'evt_1');
    const refusal = await verifyWebhook(body.replace('evt_1', 'evt_2'), headers, secret).catch((error) => error);
    expect([refusal.name, refusal.reason], ['WebhookVerificationError', 'no_matching_signature']);
  },
  'can be required by CommonJS': () => {
    const loaded = createRequire(import.meta.url)('@seathold/client');
    expect([typeof loaded.Seat.acquire, typeof loaded.Seathold], ['function', 'function']);
  },
};

/** Starts this program again, which holds a seat and then ends. Another program can have the same seat afterwards. */
async function tryEnding(how) {
  const hardwareId = createHardwareId();
  const [command, ...words] = JSON.parse(process.env.RUNTIME_COMMAND);
  const program = spawn(command, [...words, fileURLToPath(import.meta.url), how, hardwareId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  program.stdout.on('data', (chunk) => {
    printed += chunk;
    if (how === 'sigterm') {
      program.kill('SIGTERM');
    }
  });
  const [code, signal] = await once(program, 'close');
  expect([code, signal], how === 'sigterm' ? [null, 'SIGTERM'] : [0, null]);
  const seat = await acquire({ hardwareId });
  // The same machine would get the session that it has, if it still had one.
  expect([printed.startsWith('sess_'), printed.trim() === seat.sessionId], [true, false]);
  await seat.release();
}

function expect(actual, wanted) {
  if (JSON.stringify(actual) !== JSON.stringify(wanted)) {
    throw new Error(`expected ${JSON.stringify(wanted)}, got ${JSON.stringify(actual)}`);
  }
}

async function main() {
  let failures = 0;
  for (const [name, check] of Object.entries(CHECKS)) {
    try {
      await check();
      console.log(`  ok: ${name}`);
    } catch (error) {
      failures += 1;
      console.log(`  not ok: ${name}: ${error?.stack ?? error}`);
    }
  }
  process.exitCode = failures === 0 ? 0 : 1;
}

const [how, hardwareId] = process.argv.slice(2);
if (how === undefined) {
  await main();
} else {
  const seat = await acquire({ hardwareId });
  console.log(seat.sessionId);
  if (how === 'sigterm') {
    setInterval(() => undefined, 1000);
  }
}
