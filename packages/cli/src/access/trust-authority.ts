import { access, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import tls from 'node:tls';
import { CommandFailure } from '../command-failure.ts';
import { isLoopback } from './loopback.ts';

/**
 * The certificate authority of a service on this machine that made its own, where `npm start` keeps it: so that a login in
 * a second terminal simply works. Null when there is none, and for every other machine.
 */
export async function findLocalAuthority(
  baseUrl: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  if (!URL.canParse(baseUrl) || !isLoopback(new URL(baseUrl))) {
    return null;
  }
  const path = resolve(variables.SEATHOLD_DATA_DIR ?? 'data', 'tls', 'ca.pem');
  return access(path).then(
    () => path,
    () => null,
  );
}

/** Lets this process trust an authority beside those that it trusts anyhow. */
export async function trustAuthority(path: string): Promise<void> {
  const pem = await readFile(path, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure('invalid_ca', `The certificate authority cannot be read: ${reason}`);
  });
  // 22.18, the least version that runs this command, lacks it.
  if (typeof tls.setDefaultCACertificates !== 'function') {
    const advice = `set NODE_EXTRA_CA_CERTS=${path} instead, or use Node.js 24`;
    throw new CommandFailure('invalid_ca', `Node.js ${process.versions.node} cannot be told of a CA: ${advice}.`);
  }
  try {
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), pem]);
  } catch {
    throw new CommandFailure('invalid_ca', `${path} holds no certificate in PEM form.`);
  }
}
