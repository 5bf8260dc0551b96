import type { Demonstration } from '@seathold/server/operator';
import type { RunningService } from '@seathold/server/serve';
import { type Command, Option } from 'commander';

/** `seathold serve`: the service itself, until a signal. */
export function addServeCommand(program: Command, version: string): void {
  program
    .command('serve')
    .description('Run the service: production and sandbox, each on its own port.')
    .addOption(
      new Option('--role <role>', 'what this process does')
        .choices(['all', 'api', 'worker'] as const)
        .default('all' as const),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ seathold serve\n  $ SEATHOLD_PORT=9443 seathold serve\n  $ DATABASE_URL=… SANDBOX_DATABASE_URL=… seathold serve --role api',
    )
    .action(async (options: { role: 'all' | 'api' | 'worker' }) => {
      await serve(options.role, version);
    });
}

async function serve(role: 'all' | 'api' | 'worker', version: string): Promise<void> {
  // A signal that comes while the service starts is obeyed as soon as it has started.
  let stop: (() => void) | undefined;
  const stopping = new Promise<void>((resolve) => {
    stop = resolve;
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => stop?.());
  }
  const [{ startService }, { createDemonstration }] = await Promise.all([
    import('@seathold/server/serve'),
    import('@seathold/server/operator'),
  ]);
  const service = await startService(process.env, role, version);
  // Only a process that tells people how to reach it may make what is shown once.
  const demonstration =
    role === 'worker'
      ? undefined
      : await createDemonstration({ ...service.sandbox, log: service.log }).catch((error: unknown) => {
          service.log.warn(
            { err: error },
            'the demonstration organization could not be made; the next start tries again',
          );
          return undefined;
        });
  process.stdout.write(`${greet(service, role, demonstration).join('\n')}\n`);
  await stopping;
  service.log.info('stopping');
  await service.stop();
  // Whatever a library keeps open must not hold the process: everything of ours is closed.
  process.exit(0);
}

function greet(service: RunningService, role: string, demonstration: Demonstration | undefined): string[] {
  if (role === 'worker') {
    return ['Seathold works in the background.'];
  }
  const { production, sandbox, caPath } = service;
  const lines = [
    'Seathold is ready.',
    '',
    `  production  ${production.baseUrl}`,
    `  sandbox     ${sandbox.baseUrl}`,
    `  reference   ${production.baseUrl}/docs`,
    `  data        ${service.dataDir}`,
  ];
  if (caPath !== undefined) {
    lines.push(`  trust       ${caPath}`);
  }
  return demonstration === undefined ? lines : [...lines, ...introduce(sandbox.baseUrl, caPath, demonstration)];
}

function introduce(sandboxUrl: string, caPath: string | undefined, demonstration: Demonstration): string[] {
  const trust = caPath === undefined ? '' : ` --cacert ${quote(caPath)}`;
  const body = JSON.stringify({
    license_key: demonstration.licenseKey,
    hardware_id: 'hw_0123456789abcdef0123456789abcdef',
  });
  return [
    '',
    'The sandbox is new, so it has a demonstration organization. This is shown once:',
    '',
    `  log in as   ${demonstration.email} with the password ${demonstration.password}`,
    `  API token   ${demonstration.apiToken}`,
    `  license     ${demonstration.licenseKey} (5 seats)`,
    '',
    'Paste this into a second terminal to take a seat:',
    '',
    `  curl${trust} -X POST ${sandboxUrl}/v1/licenses/acquire \\`,
    `    -H 'Authorization: Bearer ${demonstration.apiToken}' \\`,
    "    -H 'Content-Type: application/json' \\",
    `    -d '${body}'`,
    '',
    'For webhooks: `npx seathold login --sandbox`, then `npx seathold webhooks listen --help`.',
    '',
  ];
}

function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
