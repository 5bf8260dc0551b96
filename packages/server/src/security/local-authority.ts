import { createPrivateKey, randomBytes, type webcrypto, X509Certificate } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { isIP, SocketAddress } from 'node:net';
import { join } from 'node:path';
import { domainToASCII } from 'node:url';
import { takeTurn } from './take-turn.ts';

export interface LocalCertificate {
  /** The leaf followed by the authority, as sent by TLS servers. */
  readonly certPem: string;
  readonly keyPem: string;
  readonly caPem: string;
  /** The file of the authority that clients should trust. */
  readonly caPath: string;
}

interface Issued {
  readonly certPem: string;
  readonly keyPem: string;
}

const dayMs = 86_400_000;
const authorityDays = 3650;
// Short enough to exercise renewal, and within the limit of public authorities from 2027 on (100 days).
const leafDays = 90;
const renewBeforeDays = 30;
// Certificates begin a little in the past, so that a client with a slow clock accepts them immediately.
const backdateMs = 3_600_000;
const curve = { name: 'ECDSA', namedCurve: 'P-256' };
const signature = { name: 'ECDSA', hash: 'SHA-256' };

/**
 * The certificate for localhost, 127.0.0.1, ::1 and the given host names, signed by this installation's own authority;
 * both are stored in `dir`. The leaf is reissued 30 days before it expires and if the names change.
 *
 * The authority stays the same, because people have put it into their trust stores. For the same reason it has no name
 * constraints: they would have to include every host name that is ever added.
 */
export async function ensureLocalCertificate(options: {
  dir: string;
  hostnames: readonly string[];
  now: Date;
}): Promise<LocalCertificate> {
  await mkdir(options.dir, { recursive: true, mode: 0o755 });
  return takeTurn(join(options.dir, 'turn.lock'), () => keepCertificate(options));
}

async function keepCertificate(options: {
  dir: string;
  hostnames: readonly string[];
  now: Date;
}): Promise<LocalCertificate> {
  const { dir, now } = options;
  const names = nameAll(options.hostnames);
  const caPath = join(dir, 'ca.pem');
  const authority = await keepOrIssue(
    { certPath: caPath, keyPath: join(dir, 'ca-key.pem') },
    (found) => found.ca && isCurrent(found, now),
    () => issueAuthority(now),
  );
  const authorityCertificate = new X509Certificate(authority.certPem);
  const leaf = await keepOrIssue(
    { certPath: join(dir, 'server.pem'), keyPath: join(dir, 'server-key.pem') },
    (found) =>
      isCurrent(found, now) && isShort(found) && found.verify(authorityCertificate.publicKey) && hasNames(found, names),
    () => issueLeaf(names, authority, now),
  );
  return { certPem: leaf.certPem, keyPem: leaf.keyPem, caPem: authority.certPem, caPath };
}

/** The pair in these files if it is complete and valid; otherwise a new one, written there. */
async function keepOrIssue(
  { certPath, keyPath }: { certPath: string; keyPath: string },
  isGood: (found: X509Certificate) => boolean,
  issue: () => Promise<Issued>,
): Promise<Issued> {
  const certPem = await readFile(certPath, 'utf8').catch(() => '');
  const keyPem = await readFile(keyPath, 'utf8').catch(() => '');
  if (isWholePair(certPem, keyPem, isGood)) return { certPem, keyPem };
  const issued = await issue();
  // Between the two renames the pair does not match, which the next start sees and repairs.
  await replaceFile(keyPath, issued.keyPem, 0o600);
  await replaceFile(certPath, issued.certPem, 0o644);
  return issued;
}

function isWholePair(certPem: string, keyPem: string, isGood: (found: X509Certificate) => boolean): boolean {
  try {
    const certificate = new X509Certificate(certPem);
    return certificate.checkPrivateKey(createPrivateKey(keyPem)) && isGood(certificate);
  } catch {
    return false;
  }
}

function isCurrent({ validFrom, validTo }: X509Certificate, now: Date): boolean {
  const isBegun = Date.parse(validFrom) <= now.getTime();
  return isBegun && Date.parse(validTo) - now.getTime() > renewBeforeDays * dayMs;
}

/** Certificates that earlier versions issued for 397 days are replaced. */
function isShort({ validFrom, validTo }: X509Certificate): boolean {
  return Date.parse(validTo) - Date.parse(validFrom) <= leafDays * dayMs;
}

async function issueAuthority(now: Date): Promise<Issued> {
  const x509 = await loadX509();
  const keys = await crypto.subtle.generateKey(curve, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    // Trust stores look issuers up by name: two installations trusted by one machine must not share it.
    name: `CN=Seathold local authority ${randomBytes(4).toString('hex')}`,
    ...validity(now, authorityDays),
    signingAlgorithm: signature,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certPem: `${certificate.toString('pem')}\n`, keyPem: await exportKey(keys.privateKey) };
}

async function issueLeaf(names: readonly string[], authority: Issued, now: Date): Promise<Issued> {
  const x509 = await loadX509();
  const keys = await crypto.subtle.generateKey(curve, true, ['sign', 'verify']);
  const issuer = new x509.X509Certificate(authority.certPem);
  const { notBefore, notAfter } = validity(now, leafDays);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerialNumber(),
    subject: 'CN=localhost',
    issuer: issuer.subject,
    notBefore,
    notAfter: notAfter < issuer.notAfter ? notAfter : issuer.notAfter,
    signingAlgorithm: signature,
    publicKey: keys.publicKey,
    signingKey: createPrivateKey(authority.keyPem).toCryptoKey(curve, false, ['sign']),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((name) => (isIP(name) === 0 ? { type: 'dns', value: name } : { type: 'ip', value: name })),
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(await issuer.publicKey.export()),
    ],
  });
  const certPem = `${certificate.toString('pem')}\n${authority.certPem}`;
  return { certPem, keyPem: await exportKey(keys.privateKey) };
}

function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  const begin = now.getTime() - backdateMs;
  return { notBefore: new Date(begin), notAfter: new Date(begin + days * dayMs) };
}

/** Positive and never zero, as RFC 5280 section 4.1.2.2 requires: the first bit is cleared, the second set. */
function newSerialNumber(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0);
  return bytes.toString('hex');
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', key));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString();
}

/** Every name once, in the form used in certificates. */
function nameAll(hostnames: readonly string[]): string[] {
  const all = ['localhost', '127.0.0.1', '::1', ...hostnames].map((name) => {
    const bare = name.replace(/^\[(.*)\]$/, '$1');
    return isIP(bare) === 0 ? toAscii(bare) : canonicalAddress(bare);
  });
  return [...new Set(all)];
}

function toAscii(hostname: string): string {
  const ascii = domainToASCII(hostname.toLowerCase());
  if (ascii === '') throw new Error(`'${hostname}' is not a host name that a certificate can be issued for.`);
  return ascii;
}

/**
 * A canonical form for the many that IPv6 allows; Node.js prints the addresses of a certificate in another than ours.
 */
function canonicalAddress(address: string): string {
  return new SocketAddress({ address, family: isIP(address) === 6 ? 'ipv6' : 'ipv4' }).address;
}

function hasNames({ subjectAltName = '' }: X509Certificate, names: readonly string[]): boolean {
  const found = subjectAltName.split(', ').map((entry) => {
    const value = entry.slice(entry.indexOf(':') + 1);
    return entry.startsWith('IP Address:') ? canonicalAddress(value) : value;
  });
  return found.length === names.length && names.every((name) => found.includes(name));
}

async function replaceFile(path: string, content: string, mode: number): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(aside, content, { mode, flush: true });
  await rename(aside, path);
}

/**
 * While it loads, the X.509 library needs the Reflect metadata proposal for a dependency container whose parts take no
 * parameters. A store that remembers nothing is sufficient, and avoids a dependency that changes a global. It is loaded
 * only to issue a certificate, which most starts do not.
 */
async function loadX509() {
  if (!('getMetadata' in Reflect)) {
    Object.assign(Reflect, {
      getMetadata: () => undefined,
      getOwnMetadata: () => undefined,
      defineMetadata: () => undefined,
    });
  }
  return import('@peculiar/x509');
}
