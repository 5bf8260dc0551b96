import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Environment } from '../config/index.ts';
import { type Network, parseNetworks } from '../networks/index.ts';

/** The settings of webhooks that are read once at startup, and their problems by name. */
export interface WebhookSettings {
  allowNetworks: readonly Network[];
  /** PEM of the certificate authorities to trust besides the public ones. */
  extraCa: string | undefined;
  problems: ReadonlyArray<{ name: string; problem: string }>;
}

/** Reads them; a file that cannot be read, or contains no certificate, is a problem like any other. */
export function parseWebhookSettings(environment: Environment): WebhookSettings {
  const networks = parseNetworks(environment.SEATHOLD_WEBHOOK_ALLOW_NETWORKS ?? '');
  const ca = readCa(environment.SEATHOLD_WEBHOOK_CA_FILE);
  return {
    allowNetworks: networks.ok ? networks.networks : [],
    extraCa: ca.pem,
    problems: [
      ...(networks.ok
        ? []
        : networks.problems.map((problem) => ({ name: 'SEATHOLD_WEBHOOK_ALLOW_NETWORKS', problem }))),
      ...(ca.problem === undefined ? [] : [{ name: 'SEATHOLD_WEBHOOK_CA_FILE', problem: ca.problem }]),
    ],
  };
}

/** OpenSSL silently accepts a file without a certificate, or with a broken one, and every delivery then fails. */
function readCa(path: string | undefined): { pem: string | undefined; problem?: string } {
  if (path === undefined || path === '') {
    return { pem: undefined };
  }
  const certificates = readText(path).match(CERTIFICATE) ?? [];
  return certificates.length > 0 && certificates.every(isCertificate)
    ? { pem: certificates.join('\n') }
    : { pem: undefined, problem: 'must name a readable PEM file with at least one certificate and no broken ones' };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
