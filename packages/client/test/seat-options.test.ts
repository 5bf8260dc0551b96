import { describe, expect, it } from 'vitest';
import { InvalidRequestError, Seat, type SeatOptions } from '../src/seats/index.ts';

const OPTIONS: SeatOptions = {
  baseUrl: 'https://seats.test',
  token: 'svc_live_1',
  licenseKey: 'AB1CD-2EF3G-4HJ5K-6MN7P',
  hardwareId: 'hw_0123456789abcdef0123456789abcdef',
  fetch: () => Promise.reject(new Error('nothing may be sent')),
};

describe('an acquire sends nothing', () => {
  it.each([
    ['baseUrl', 'http://seats.test'],
    ['baseUrl', 'seats.test'],
    ['token', 'two words'],
    ['licenseKey', ''],
    ['hardwareId', 'hw_TOO_SHORT'],
    ['waitSeconds', 1.5],
    ['offlineSeconds', -1],
    ['timeoutSeconds', Number.NaN],
  ])('if %s is %j', async (name, value) => {
    const acquired = Seat.acquire({ ...OPTIONS, [name]: value });
    await expect(acquired).rejects.toThrow(InvalidRequestError);
    await expect(acquired).rejects.toThrow(name);
  });

  it('if its signal is already aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(Seat.acquire({ ...OPTIONS, signal })).rejects.toThrow('enough');
  });
});
