import { setTimeout as sleep } from 'node:timers/promises';
import { Seat, type SeatEvent } from '../../../src/seats/index.ts';

// A program of the fleet: it acquires a seat, uses it for a while, releases it, and asks for the next. `npm run
// test:fleet` starts it, and judges it by the lines that it writes.

const { SEATHOLD_URL = '', SEATHOLD_TOKEN: token, LICENSE_KEY = '', HARDWARE_ID = '' } = process.env;
const [least = 0, most = 0] = [Number(process.env.HOLD_LEAST_MS), Number(process.env.HOLD_MOST_MS)];

function write(line: object): void {
  const at = Number(process.hrtime.bigint()) / 1e6;
  process.stdout.write(`${JSON.stringify({ at, ...line })}\n`);
}

function tell(event: SeatEvent): void {
  if (event.type === 'waiting') {
    write({ event: 'waiting', position: event.position });
  } else if (event.type === 'lost') {
    write({ event: 'lost', reason: event.reason, final: event.isFinal });
  } else {
    write({ event: event.type, reason: event.reason });
  }
}

for (;;) {
  write({ event: 'asking' });
  try {
    const seat = await Seat.acquire({
      baseUrl: SEATHOLD_URL,
      token,
      licenseKey: LICENSE_KEY,
      hardwareId: HARDWARE_ID,
      waitSeconds: 3600,
      timeoutSeconds: 600,
      onEvent: tell,
    });
    await sleep(least + (most - least) * Math.random());
    write({ event: 'stopping' });
    await seat.release();
    write({ event: 'released' });
  } catch (error) {
    write({ event: 'refused', reason: String(Object(error).code ?? error) });
  }
  await sleep(200);
}
