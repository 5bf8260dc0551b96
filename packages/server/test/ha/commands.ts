import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The repository of this version. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The command of a version, as an operator would run it. */
export function launcherOf(root: string): string {
  return `${root.replace(/\/$/, '')}/packages/cli/bin/seathold.js`;
}

const run = promisify(execFile);

/** Runs an operator's command on an installation and returns its output. Throws with the output if it fails. */
async function runCommand(
  settings: Readonly<Record<string, string>>,
  words: readonly string[],
  root = ROOT,
): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  try {
    const options = { env: { PATH, HOME, ...settings }, maxBuffer: 64 * 1024 * 1024 };
    return (await run(process.execPath, [launcherOf(root), ...words], options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = Object(error);
    throw new Error(`seathold ${words.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** Throws with the details if the data of production or the sandbox is inconsistent. */
export async function requireInvariants(settings: Readonly<Record<string, string>>): Promise<number> {
  const printed = await runCommand(settings, ['doctor', '--invariants', '--json']);
  return JSON.parse(printed).length;
}

/**
 * The same after a failover. The command gives up on a host that does not answer in time, and is then run again, as a
 * person would do.
 */
export async function requireInvariantsOnceAvailable(settings: Readonly<Record<string, string>>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await requireInvariants(settings);
      return;
    } catch (error) {
      if (tries >= MOST_TRIES || !String(error).includes('the database is not available')) {
        throw error;
      }
    }
  }
}

const MOST_TRIES = 5;

/** Issues a license with this many seats to a user's organization. Returns its key. */
export async function issueLicense(
  settings: Readonly<Record<string, string>>,
  email: string,
  seats: number,
  root = ROOT,
): Promise<string> {
  const words = [
    'license',
    'issue',
    '--organization',
    email,
    '--product',
    'studio',
    '--seats',
    String(seats),
    '--json',
  ];
  const { key } = JSON.parse(await runCommand(settings, words, root));
  if (typeof key !== 'string') {
    throw new Error('the issued license has no key');
  }
  return key;
}
