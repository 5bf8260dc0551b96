import { findModule, findProcess } from './node-modules.ts';

/** This machine's own ID, or undefined if it cannot be read. */
export async function readMachineId(): Promise<string | undefined> {
  const platform = findProcess()?.platform ?? '';
  for (const read of SOURCES[platform] ?? []) {
    const output = await read().catch(() => '');
    const id = findMachineId(platform, output);
    if (id !== undefined) {
      return id;
    }
  }
  return undefined;
}

/** Parses the machine's own ID from the output of the platform. */
export function findMachineId(platform: string, output: string): string | undefined {
  return PATTERNS[platform]?.exec(output)?.[1]?.toLowerCase();
}

const PATTERNS: Readonly<Record<string, RegExp>> = {
  linux: /^\s*([\da-f]{32})\s*$/i,
  darwin: /"IOPlatformUUID"\s*=\s*"([\da-f-]+)"/i,
  win32: /\bMachineGuid\s+REG_SZ\s+([\da-f-]+)/i,
};

const SOURCES: Readonly<Record<string, ReadonlyArray<() => Promise<string>>>> = {
  linux: [() => readFile('/etc/machine-id'), () => readFile('/var/lib/dbus/machine-id')],
  darwin: [() => run('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice'])],
  // Without the last argument, a 32-bit program would see another part of the registry.
  win32: [() => run('reg', ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid', '/reg:64'])],
};

async function readFile(path: string): Promise<string> {
  const files = await findModule('node:fs/promises');
  return (await files?.readFile(path, 'utf8')) ?? '';
}

async function run(file: string, args: readonly string[]): Promise<string> {
  const childProcess = await findModule('node:child_process');
  return new Promise((resolve, reject) => {
    if (childProcess === undefined) {
      resolve('');
      return;
    }
    childProcess.execFile(file, args, { encoding: 'utf8', windowsHide: true }, (error, output) => {
      if (error === null) {
        resolve(output);
      } else {
        reject(error);
      }
    });
  });
}
