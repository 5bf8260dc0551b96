import type { Demonstration } from '@seathold/server/operator/create-demonstration';
import { loginCommand } from '../access/login-command.ts';

/** Shown once for a new sandbox: how to log in, to take a seat, and to receive webhooks. */
export function introduce(sandboxUrl: string, caPath: string | undefined, demonstration: Demonstration): string[] {
  const trust = caPath === undefined ? '' : ` --cacert ${quote(caPath)}`;
  const body = JSON.stringify({
    license_key: demonstration.licenseKey,
    hardware_id: 'hw_0123456789abcdef0123456789abcdef',
  });
  return [
    '',
    'The sandbox is new, so it has a demo organization. This is shown only once:',
    '',
    `  log in as   ${demonstration.email} with the password ${demonstration.password}`,
    `  API token   ${demonstration.apiToken}`,
    `  license     ${demonstration.licenseKey} (5 seats)`,
    '',
    'To take a seat, paste this into a second terminal:',
    '',
    `  curl${trust} -X POST ${sandboxUrl}/v1/licenses/acquire \\`,
    `    -H 'Authorization: Bearer ${demonstration.apiToken}' \\`,
    "    -H 'Content-Type: application/json' \\",
    `    -d '${body}'`,
    '',
    `To receive webhooks, run \`npx ${loginCommand('sandbox', sandboxUrl)}\`, then \`npx seathold webhooks listen --help\`.`,
    '',
  ];
}

function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
