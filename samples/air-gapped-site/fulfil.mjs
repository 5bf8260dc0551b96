import { readFileSync, writeFileSync } from 'node:fs';
import { Seathold, SeatholdError } from '@seathold/client';

// Runs on a computer with a network. Takes an offline seat for each machine in the request file, and writes the license file.

const {
  SEATHOLD_URL: baseUrl = 'https://localhost:8443',
  SEATHOLD_TOKEN: token,
  LICENSE_KEY,
  DAYS = '14',
} = process.env;
const [requestPath = 'request.json', licensePath = 'license.json'] = process.argv.slice(2);

const seathold = new Seathold({ baseUrl, token });
const { machines } = JSON.parse(readFileSync(requestPath, 'utf8'));
const licenses = [];
for (const machine of machines) {
  const license = await takeOfflineSeat(machine);
  licenses.push(...(license === undefined ? [] : [license]));
}
const response = await fetch(`${baseUrl}/.well-known/license-revocations.jwt`);
if (!response.ok) {
  throw new Error(`No revocation list: ${response.status}`);
}
const file = { licenses, revocations: await response.text() };
writeFileSync(licensePath, `${JSON.stringify(file, null, 2)}\n`);
console.log(`${licenses.length} of ${machines.length} machines have a license.`);
process.exitCode = licenses.length === machines.length ? 0 : 1;

/** Takes an offline seat. A machine that already has one keeps it, with a later expiry. */
async function takeOfflineSeat({ hardware_id, name }) {
  try {
    const seat = await seathold.licenses.acquire({
      license_key: LICENSE_KEY ?? '',
      hardware_id,
      metadata: { hostname: name },
      offline_seconds: Number(DAYS) * 86_400,
    });
    console.log(`${name}: licensed until ${seat.offline_until}`);
    return { hardware_id, license_token: seat.license_token };
  } catch (error) {
    if (!(error instanceof SeatholdError)) {
      throw error;
    }
    console.error(`${name}: ${error.message} (${error.code})`);
    return undefined;
  }
}
