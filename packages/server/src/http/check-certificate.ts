import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Environment } from '../config/index.ts';

/** The problems of the configured certificate and key, by setting. Checks nothing unless both are set. */
export function findCertificateProblems({
  SEATHOLD_TLS_CERT: certPath = '',
  SEATHOLD_TLS_KEY: keyPath = '',
}: Environment): ReadonlyArray<{ name: string; problem: string }> {
  if (certPath === '' || keyPath === '') {
    return [];
  }
  const certificate = readAs(certPath, (pem) => new X509Certificate(pem));
  const key = readAs(keyPath, (pem) => createPrivateKey(pem));
  if (certificate === undefined || key === undefined) {
    return [
      ...(certificate === undefined
        ? [{ name: 'SEATHOLD_TLS_CERT', problem: 'must name a readable PEM file with a certificate' }]
        : []),
      ...(key === undefined
        ? [
            {
              name: 'SEATHOLD_TLS_KEY',
              problem: 'must name a readable PEM file with a private key without a passphrase',
            },
          ]
        : []),
    ];
  }
  if (!certificate.checkPrivateKey(key)) {
    return [{ name: 'SEATHOLD_TLS_KEY', problem: 'must name the private key of the certificate in SEATHOLD_TLS_CERT' }];
  }
  return findServingProblem(certPath, keyPath);
}

/** OpenSSL also refuses what can be read: another format, a broken certificate further down the chain, a weak key. */
function findServingProblem(certPath: string, keyPath: string): ReadonlyArray<{ name: string; problem: string }> {
  try {
    createSecureContext({ cert: readFileSync(certPath), key: readFileSync(keyPath) });
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ name: 'SEATHOLD_TLS_CERT', problem: `cannot be served with SEATHOLD_TLS_KEY: ${reason}` }];
  }
}

function readAs<T>(path: string, parse: (pem: Buffer) => T): T | undefined {
  try {
    return parse(readFileSync(path));
  } catch {
    return undefined;
  }
}
