import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { deriveHardwareId } from '@seathold/client/seats';
import { readRevocations, verifyLicense } from './verify-license.mjs';

// The sold program, on a machine at the site. It asks the site's license server and trusts only what is signed.

const { SITE_URL = 'http://127.0.0.1:8480', HARDWARE_ID, MACHINE_NAME = hostname(), PUBLIC_KEYS } = process.env;
const hardwareId = HARDWARE_ID ?? (await deriveHardwareId()) ?? '';
// A real program would contain the keys.
const { issuer, keys } = JSON.parse(readFileSync(PUBLIC_KEYS ?? 'public-keys.json', 'utf8'));

const outcome = await getLicense();
if (outcome.fault === undefined) {
  const until = new Date(outcome.claims.exp * 1000).toISOString();
  console.log(`Licensed until ${until} with ${JSON.stringify(outcome.claims.features)}`);
} else {
  console.error(`No license: ${outcome.fault}`);
  process.exitCode = 1;
}

async function getLicense() {
  const query = new URLSearchParams({ hardware_id: hardwareId, name: MACHINE_NAME });
  const response = await fetch(`${SITE_URL}/license?${query}`).catch(() => undefined);
  if (response === undefined) {
    return { fault: `${SITE_URL} is not responding` };
  }
  const { license_token: token, revocations, error } = await response.json();
  if (error !== undefined) {
    return { fault: error };
  }
  const list = readRevocations(revocations, { keys, issuer });
  if (list.fault !== undefined) {
    return list;
  }
  const nowSeconds = Math.max(Date.now() / 1000, list.iat);
  return verifyLicense(token, { keys, issuer, hardwareId, revoked: list.revoked, nowSeconds });
}
