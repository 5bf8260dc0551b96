import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileStore, Seat, SeatholdError } from '@seathold/client';

const { SEATHOLD_URL, SEATHOLD_TOKEN, LICENSE_KEY, HARDWARE_ID, SEAT_FILE, WAIT_SECONDS = '3600' } = process.env;
const frames = Number(process.argv[2] ?? 10);

try {
  const seat = await Seat.acquire({
    baseUrl: SEATHOLD_URL ?? 'https://localhost:8443',
    // Without a token, the machine is activated with the license key.
    token: SEATHOLD_TOKEN,
    licenseKey: LICENSE_KEY ?? '',
    hardwareId: HARDWARE_ID,
    metadata: { hostname: hostname(), client_version: '1.0.0' },
    waitSeconds: Number(WAIT_SECONDS),
    store: fileStore(SEAT_FILE ?? join(homedir(), '.render', 'seat.json')),
    onEvent: (event) => console.error(describe(event)),
  });
  const finished = await render(seat);
  await seat.release();
  process.exitCode = finished ? 0 : 1;
} catch (error) {
  console.error(error instanceof SeatholdError ? `No seat: ${error.message} (${error.code})` : error);
  process.exitCode = 1;
}

/** Renders one frame per second. Pauses while there is no seat, and returns false if the seat is lost for good. */
async function render(seat) {
  for (let frame = 1; frame <= frames; ) {
    if (seat.state === 'ended') {
      return false;
    }
    if (seat.state !== 'lost') {
      console.log(`frame ${frame}`);
      frame += 1;
    }
    await sleep(1000);
  }
  return true;
}

function describe(event) {
  switch (event.type) {
    case 'granted':
      return `Seat ${event.reason}. Licensed until ${event.expiresAt.toISOString()}.`;
    case 'waiting':
      return `All seats are in use. Number ${event.position} in line.`;
    case 'offline':
      return `The license service is not responding. Continuing until ${event.expiresAt.toISOString()}.`;
    case 'lost':
      return event.isFinal ? `Seat lost: ${event.reason}.` : `Seat lost: ${event.reason}. Waiting for another.`;
  }
}
