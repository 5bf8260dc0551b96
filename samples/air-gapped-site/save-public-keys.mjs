import { writeFileSync } from 'node:fs';

// Runs where the program is built. Ship its output file with the program and with the site's license server.

const { SEATHOLD_URL: issuer = 'https://localhost:8443' } = process.env;
const response = await fetch(`${issuer}/.well-known/jwks.json`);
if (!response.ok) {
  throw new Error(`No public keys: ${response.status}`);
}
const { keys } = await response.json();
writeFileSync(process.argv[2] ?? 'public-keys.json', `${JSON.stringify({ issuer, keys }, null, 2)}\n`);
