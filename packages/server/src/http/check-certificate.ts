import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Environment } from '../config/index.ts';

/** The problems of the configured certificate and key, by setting. Without both, there is nothing to check here. */
export function findCertificateProblems({
  SEATHOLD_TLS_CERT: certPath = '',
  SEATHOLD_TLS_KEY: keyPath = '',
}: Environment): ReadonlyArray<{ name: string; problem: string }> {
  if (certPath === '' || keyPath === '') {
    return [];
  }
  const certificate = readAs(certPath, (pem) => new X509Certificate(pem));
  const key = readAs(keyPath, (pem) => createPrivateKey(pem));
  const problems = [
    ...(certificate === undefined
      ? [{ name: 'SEATHOLD_TLS_CERT', problem: 'must name a readable PEM file with a certificate' }]
      : []),
    ...(key === undefined
      ? [{ name: 'SEATHOLD_TLS_KEY', problem: 'must name a readable PEM file with a private key without a passphrase' }]
      : []),
  ];
  return isPair(certificate, key)
    ? problems
    : [
        ...problems,
        { name: 'SEATHOLD_TLS_KEY', problem: 'must name the private key of the certificate in SEATHOLD_TLS_CERT' },
      ];
}

function isPair(certificate: X509Certificate | undefined, key: KeyObject | undefined): boolean {
  return certificate === undefined || key === undefined || certificate.checkPrivateKey(key);
}

function readAs<T>(path: string, parse: (pem: Buffer) => T): T | undefined {
  try {
    return parse(readFileSync(path));
  } catch {
    return undefined;
  }
}
