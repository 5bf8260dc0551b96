import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import tls from 'node:tls';
import { CommandFailure } from '../command-failure.ts';
import { isLoopback } from './loopback.ts';

/**
 * The local certificate authority of a service on this machine, where `npm start` stores it, so that a login in a
 * second terminal just works. Null if there is none, and for every other machine. One that another user could have put
 * there is reported on standard error and not used, because the current folder may belong to anyone.
 */
export async function findLocalAuthority(
  baseUrl: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  if (!URL.canParse(baseUrl) || !isLoopback(new URL(baseUrl))) {
    return null;
  }
  const named = resolve(variables.SEATHOLD_DATA_DIR ?? 'data', 'tls', 'ca.pem');
  // Checks the target of a link, because the link may change later.
  const path = await realpath(named).catch(() => null);
  if (path === null) {
    return null;
  }
  if ((await isOwn(path)) && (await isOwn(dirname(path)))) {
    return path;
  }
  const problem = 'you do not own it or its folder, or others can write to it';
  process.stderr.write(`${path} is not trusted: ${problem}. To trust it, pass it to \`seathold login --ca\`.\n`);
  return null;
}

/** Whether only the user and root can change the file at the path. Windows has no such owners and modes. */
async function isOwn(path: string): Promise<boolean> {
  if (process.getuid === undefined) {
    return true;
  }
  const uid = process.getuid();
  return stat(path).then(
    (found) => found.uid === uid && (found.mode & WRITABLE_BY_OTHERS) === 0,
    () => false,
  );
}

const WRITABLE_BY_OTHERS = 0o022;

/** Makes this process trust an additional certificate authority. */
export async function trustAuthority(path: string): Promise<void> {
  const pem = await readFile(path, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure('invalid_ca', `Cannot read the certificate authority: ${reason}`);
  });
  // Missing in 22.18, the lowest supported version.
  if (typeof tls.setDefaultCACertificates !== 'function') {
    const advice = `set NODE_EXTRA_CA_CERTS=${path} instead, or use Node.js 24`;
    throw new CommandFailure(
      'invalid_ca',
      `Node.js ${process.versions.node} cannot trust a certificate authority at runtime: ${advice}.`,
    );
  }
  try {
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), pem]);
  } catch {
    throw new CommandFailure('invalid_ca', `${path} contains no PEM certificate.`);
  }
}
