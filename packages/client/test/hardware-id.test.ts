import { expect, it } from 'vitest';
import { createHardwareId, deriveHardwareId } from '../src/seats/index.ts';
import { findMachineId, readMachineId } from '../src/seats/machine-id.ts';
import { VECTORS } from './keeper-vectors.ts';

const FORMAT = /^hw_[a-z0-9]{32}$/;

it.each(VECTORS.hardware_ids)(
  'a machine ID is found in the output on $platform',
  ({ platform, output, machine_id }) => {
    expect(findMachineId(platform, output)).toBe(machine_id);
  },
);

it.each([
  ['linux', ''],
  ['linux', 'uninitialized\n'],
  ['darwin', '"IOPlatformSerialNumber" = "C02XXXXXXXXX"'],
  ['win32', 'ERROR: The system was unable to find the specified registry key or value.'],
  ['freebsd', 'b08dfa6083e7567a1921a715000001fb'],
])('no machine ID is found on %s in %j', (platform, output) => {
  expect(findMachineId(platform, output)).toBeUndefined();
});

it('the hardware ID of a machine is always the same, and does not reveal its machine ID', async () => {
  const own = await readMachineId();
  const [id, again] = [await deriveHardwareId(), await deriveHardwareId()];
  expect(id).toBe(again);
  expect(own === undefined ? id : FORMAT.test(id ?? '')).toBe(own === undefined ? undefined : true);
  expect(own !== undefined && id?.includes(own)).toBe(false);
});

it('a random hardware ID is different each time', () => {
  const [one, two] = [createHardwareId(), createHardwareId()];
  expect(one).toMatch(FORMAT);
  expect(one).not.toBe(two);
});
