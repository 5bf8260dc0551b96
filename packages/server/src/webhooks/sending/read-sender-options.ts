import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Config, InvalidSettings } from '../../config/index.ts';
import { parseNetworks } from '../../http/index.ts';
import type { SenderOptions } from './sender.ts';

/** What the settings say of sending; throws InvalidSettings when a network or the file of authorities is unsound. */
export async function readSenderOptions(
  config: Pick<Config, 'webhookTimeoutSeconds' | 'webhookAllowNetworks' | 'webhookCaFile' | 'egressProxy'>,
): Promise<SenderOptions> {
  const opened = parseNetworks(config.webhookAllowNetworks);
  if (!opened.ok) {
    const name = 'SEATHOLD_WEBHOOK_ALLOW_NETWORKS';
    throw new InvalidSettings(opened.problems.map((problem) => ({ name, problem })));
  }
  return {
    timeoutMs: config.webhookTimeoutSeconds * 1_000,
    allowNetworks: opened.networks,
    extraCa: config.webhookCaFile === undefined ? undefined : await readAuthorities(config.webhookCaFile),
    egressProxy: config.egressProxy,
  };
}

/** OpenSSL takes a file without a certificate, or with a broken one, without a word, and every delivery fails then. */
async function readAuthorities(path: string): Promise<string> {
  const pem = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unsound(`names ${path}, which cannot be read (${error instanceof Error ? error.message : 'unknown'})`);
  });
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  if (certificates.length === 0 || !certificates.every(isCertificate)) {
    throw unsound(`names ${path}, which has to hold certificates in PEM and holds none, or a broken one`);
  }
  return certificates.join('\n');
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

function unsound(problem: string): InvalidSettings {
  return new InvalidSettings([{ name: 'SEATHOLD_WEBHOOK_CA_FILE', problem }]);
}
