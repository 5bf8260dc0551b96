import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../clock/index.ts';
import type { Config } from '../config/index.ts';
import { ensureLocalCertificate } from '../security/index.ts';

/** The configured certificate, or one for localhost and this machine's names from a local authority. */
export async function readCertificate(
  config: Pick<Config, 'tlsCert' | 'tlsKey' | 'baseUrl' | 'sandboxUrl' | 'dataDir'>,
  clock: Clock = systemClock,
): Promise<{ cert: string; key: string; caPath: string | undefined }> {
  if (config.tlsCert !== undefined && config.tlsKey !== undefined) {
    const [cert, key] = await Promise.all([
      readPem('SEATHOLD_TLS_CERT', config.tlsCert),
      readPem('SEATHOLD_TLS_KEY', config.tlsKey),
    ]);
    return { cert, key, caPath: undefined };
  }
  const names = [config.baseUrl, config.sandboxUrl].flatMap((url) => (url === undefined ? [] : new URL(url).hostname));
  const local = await ensureLocalCertificate({
    dir: join(config.dataDir, 'tls'),
    hostnames: [...new Set([hostname(), ...names])],
    now: new Date(clock.nowMs()),
  });
  return { cert: local.certPem, key: local.keyPem, caPath: local.caPath };
}

async function readPem(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(`${setting} names ${path}, which cannot be read.`, { cause: error });
  }
}
