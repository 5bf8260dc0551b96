import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { readRevocations, verifyLicense } from './verify-license.mjs';

// The license server of a site without a connection to the outside. It gives each machine its license from `license.json`, and
// records the requesting machines in `request.json`. People carry both files. It cannot make a license itself, because it has no
// private key.

const { SITE_FOLDER = '.', SITE_PORT = '8480', SITE_HOST = '127.0.0.1' } = process.env;
const requestPath = join(SITE_FOLDER, 'request.json');
const licensePath = join(SITE_FOLDER, 'license.json');
const { issuer, keys } = JSON.parse(readFileSync(join(SITE_FOLDER, 'public-keys.json'), 'utf8'));

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://site');
  const hardwareId = url.searchParams.get('hardware_id') ?? '';
  if (request.method !== 'GET' || url.pathname !== '/license') {
    answer(response, 404, { error: 'not_found' });
  } else if (/^hw_[a-z0-9]{32}$/.test(hardwareId)) {
    noteMachine(hardwareId, (url.searchParams.get('name') ?? '').slice(0, 100));
    const found = findLicense(hardwareId);
    answer(response, found.error === undefined ? 200 : 404, found);
  } else {
    answer(response, 400, { error: 'hardware_id' });
  }
});

server.listen(Number(SITE_PORT), SITE_HOST, () => {
  console.log(`License server of the site: http://${SITE_HOST}:${server.address().port}`);
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => server.close());
}

/** The machine's license in the current license file. The file is read each time, so a new one needs no restart. */
function findLicense(hardwareId) {
  const { licenses = [], revocations = '' } = readJson(licensePath);
  const license = licenses.find((each) => each.hardware_id === hardwareId);
  const list = readRevocations(revocations, { keys, issuer });
  if (license === undefined || list.fault !== undefined) {
    return { error: license === undefined ? 'no_license_yet' : 'revocations' };
  }
  // Setting the clock back does not help: the time used is never earlier than the file.
  const nowSeconds = Math.max(Date.now() / 1000, list.iat);
  const expected = { keys, issuer, hardwareId, revoked: list.revoked, nowSeconds };
  const { fault } = verifyLicense(license.license_token, expected);
  return fault === undefined ? { license_token: license.license_token, revocations } : { error: fault };
}

/** Adds the machine to the next request file. */
function noteMachine(hardwareId, name) {
  const { machines = [] } = readJson(requestPath);
  if (!machines.some((each) => each.hardware_id === hardwareId)) {
    const next = [...machines, { hardware_id: hardwareId, name }];
    // A crash leaves the old file or the new one, never a partial file.
    writeFileSync(`${requestPath}.new`, `${JSON.stringify({ machines: next }, null, 2)}\n`);
    renameSync(`${requestPath}.new`, requestPath);
    console.log(`${name || hardwareId} is in the next request.`);
  }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') {
      return {};
    }
    throw error;
  }
}

function answer(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
