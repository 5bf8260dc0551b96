import { execFile } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureLocalCertificate, type LocalCertificate } from './local-authority.ts';

const run = promisify(execFile);
const dayMs = 86_400_000;
const now = new Date();

let parent: string;
let dir: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'seathold-tls-'));
  dir = join(parent, 'tls');
});

afterEach(() => rm(parent, { recursive: true, force: true }));

const ensure = (hostnames: string[] = [], at = now) => ensureLocalCertificate({ dir, hostnames, now: at });

/** Whether a client that trusts only the authority trusts the server at this name. */
async function visit(certificate: LocalCertificate, servername: string): Promise<boolean> {
  const server = createServer({ cert: certificate.certPem, key: certificate.keyPem }, (_, res) => res.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  const options = { host: '127.0.0.1', port: address.port, servername, ca: certificate.caPem, agent: false as const };
  try {
    const [response] = await once(request(options).end(), 'response');
    response.resume();
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

test('the first start creates an authority and a server certificate that clients accept for each name', async () => {
  const certificate = await ensure(['Licenses.example.com', '10.1.2.3', '[fd00::1]', 'bücher.example']);
  const leaf = new X509Certificate(certificate.certPem);
  for (const name of ['localhost', 'licenses.example.com', 'xn--bcher-kva.example']) {
    expect(leaf.checkHost(name)).toBe(name);
    expect(await visit(certificate, name)).toBe(true);
  }
  for (const ip of ['127.0.0.1', '::1', '10.1.2.3', 'fd00::1']) expect(leaf.checkIP(ip)).toBeDefined();
  expect(await visit(certificate, 'other.example.com')).toBe(false);
  expect(certificate.certPem.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  expect(await readFile(certificate.caPath, 'utf8')).toBe(certificate.caPem);
});

test('keys are readable only by the owner, and nothing else is left in the folder', async () => {
  await ensure();
  expect((await readdir(dir)).sort()).toEqual(['ca-key.pem', 'ca.pem', 'server-key.pem', 'server.pem']);
  for (const name of ['ca-key.pem', 'server-key.pem']) {
    expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
  }
});

test('certificates state what they may be used for and for how long', async () => {
  const { certPem, caPem } = await ensure();
  const leaf = new X509Certificate(certPem);
  const authority = new X509Certificate(caPem);
  expect([authority.ca, leaf.ca]).toEqual([true, false]);
  expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(leaf.checkIssued(authority)).toBe(true);
  const days = (c: X509Certificate) => (Date.parse(c.validTo) - Date.parse(c.validFrom)) / dayMs;
  expect([days(leaf), days(authority)]).toEqual([90, 3650]);
});

test('another start keeps both; a leaf near its end or with other names is reissued by the same authority', async () => {
  const first = await ensure(['a.example']);
  expect(await ensure(['a.example'])).toEqual(first);
  expect(await ensure(['a.example'], new Date(now.getTime() + 59 * dayMs))).toEqual(first);
  const renewed = await ensure(['a.example'], new Date(now.getTime() + 61 * dayMs));
  expect(renewed.caPem).toBe(first.caPem);
  expect(renewed.certPem).not.toBe(first.certPem);
  const renamed = await ensure(['b.example']);
  expect(renamed.caPem).toBe(first.caPem);
  expect(new X509Certificate(renamed.certPem).checkHost('a.example')).toBeUndefined();
});

test('a certificate for more than 90 days, from an earlier version, is replaced by the same authority', async () => {
  const first = await ensure();
  const { X509Certificate: Certificate, X509CertificateGenerator } = await import('@peculiar/x509');
  const leaf = new Certificate(first.certPem);
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  const long = await X509CertificateGenerator.create({
    subject: leaf.subject,
    issuer: leaf.issuer,
    notBefore: leaf.notBefore,
    notAfter: new Date(leaf.notBefore.getTime() + 397 * dayMs),
    publicKey: await leaf.publicKey.export(),
    signingKey: createPrivateKey(await readFile(join(dir, 'ca-key.pem'))).toCryptoKey(curve, false, ['sign']),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: leaf.extensions,
  });
  await writeFile(join(dir, 'server.pem'), `${long.toString('pem')}\n${first.caPem}`);
  const second = await ensure();
  expect(second.caPem).toBe(first.caPem);
  const { validFrom, validTo } = new X509Certificate(second.certPem);
  expect((Date.parse(validTo) - Date.parse(validFrom)) / dayMs).toBe(90);
  expect(await visit(second, 'localhost')).toBe(true);
});

test('files that are damaged or do not belong together are replaced', async () => {
  const first = await ensure();
  await writeFile(join(dir, 'server-key.pem'), 'garbage');
  const second = await ensure();
  expect(second.caPem).toBe(first.caPem);
  expect(await visit(second, 'localhost')).toBe(true);
  await rm(join(dir, 'ca-key.pem'));
  const third = await ensure();
  expect(third.caPem).not.toBe(first.caPem);
  expect(await visit(third, 'localhost')).toBe(true);
});

test('an expiring authority is replaced', async () => {
  const first = await ensure();
  const later = await ensure([], new Date(now.getTime() + 3640 * dayMs));
  expect(later.caPem).not.toBe(first.caPem);
});

test('a name that no certificate can hold is refused', async () => {
  await expect(ensure(['bad name'])).rejects.toThrow(
    "'bad name' is not a host name that a certificate can be issued for.",
  );
});

test('openssl finds no faults', async ({ skip }) => {
  const { caPath } = await ensure();
  const args = ['verify', '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', 'localhost', '-CAfile', caPath];
  const result = await run('openssl', [...args, join(dir, 'server.pem')]).catch((error) => {
    if (error.code === 'ENOENT') skip('openssl is not installed');
    throw error;
  });
  expect(result.stdout).toContain(': OK');
});
