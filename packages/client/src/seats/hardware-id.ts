import { readMachineId } from './machine-id.ts';

/**
 * The hardware ID of this machine on Linux, macOS and Windows. Undefined if the machine's ID cannot be read, as in a
 * browser.
 */
export async function deriveHardwareId(): Promise<string | undefined> {
  const machineId = await readMachineId();
  return machineId === undefined ? undefined : hashMachineId(machineId);
}

/** A random hardware ID, for a machine without its own ID. Store it; otherwise, each run is another machine. */
export function createHardwareId(): string {
  return `hw_${toHex(crypto.getRandomValues(new Uint8Array(16)))}`;
}

/** Derives the hardware ID from a machine's own ID: a hash, so that it does not reveal the machine's ID. */
export async function hashMachineId(machineId: string): Promise<string> {
  const content = new TextEncoder().encode(`seathold:hardware-id:1:${machineId.trim().toLowerCase()}`);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
  return `hw_${toHex(hash.subarray(0, 16))}`;
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
