import type { createDemonstration } from '@seathold/server/operator/create-demonstration';
import type { createFirstOwnerLink } from '@seathold/server/operator/create-first-owner-link';
import type { RunningService } from '@seathold/server/serve';
import { type Command, Option } from 'commander';
import { introduce } from './introduce.ts';

/** `seathold serve`: the service itself, until a signal. */
export function addServeCommand(program: Command, version: string): void {
  program
    .command('serve')
    .description('Run the service: production and sandbox, each on its own port.')
    .addOption(
      new Option('--role <role>', 'the role of this process')
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
  const signals = listenToSignals();
  const [{ startService }, { createDemonstration }, { createFirstOwnerLink }] = await Promise.all([
    import('@seathold/server/serve'),
    import('@seathold/server/operator/create-demonstration'),
    import('@seathold/server/operator/create-first-owner-link'),
  ]);
  const service = await startService(process.env, role, version);
  signals.onReload(() => {
    service.reload().catch((error: unknown) => service.log.error({ err: error }, 'could not reload the certificate'));
  });
  const introductions =
    role === 'worker'
      ? []
      : [
          { of: service.production, lines: introduceProduction(service, createFirstOwnerLink) },
          { of: service.sandbox, lines: introduceSandbox(service, createDemonstration) },
        ];
  // An environment that waits for its database is announced when it is ready.
  const [late, ready] = divide(introductions, ({ of }) => of?.isPrepared === false);
  const introduced = await Promise.all(ready.map(({ lines }) => lines));
  process.stdout.write(`${[...greet(service, role), ...introduced.flat()].join('\n')}\n`);
  for (const { lines } of late) {
    void lines.then((later) => process.stdout.write(later.map((line) => `${line}\n`).join('')));
  }
  const reason = await Promise.race([signals.stopping, service.failure]);
  if (reason === 'signal') {
    service.log.info('stopping');
  } else {
    service.log.fatal({ reason }, 'the service cannot continue');
  }
  signals.onHurry(() => service.hurry());
  if (reason !== 'signal') {
    service.hurry();
  }
  await service.stop();
  // A library that keeps something open must not keep the process alive: everything of ours is closed.
  process.exit(reason === 'signal' ? 0 : 1);
}

function divide<T>(items: readonly T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

/** Shown once by a new installation: how to become its first owner. */
async function introduceProduction(
  { production, log }: RunningService,
  create: typeof createFirstOwnerLink,
): Promise<string[]> {
  try {
    await production.prepared;
    const url = await create(production);
    return url === undefined
      ? []
      : ['', 'To set up the first owner, open this link within 30 minutes:', '', `  ${url}`, ''];
  } catch (error) {
    log.warn({ err: error }, 'could not create the link for the first owner; the next start will try again');
    return [];
  }
}

/** Shown once by a new sandbox. Only created by a process that prints how to reach it. */
async function introduceSandbox(service: RunningService, create: typeof createDemonstration): Promise<string[]> {
  const { sandbox, log, caPath } = service;
  if (sandbox === undefined) {
    return [];
  }
  try {
    await sandbox.prepared;
    const made = await create({ ...service, ...sandbox });
    return made === undefined ? [] : introduce(sandbox.baseUrl, caPath, made);
  } catch (error) {
    log.warn({ err: error }, 'could not create the demonstration organization; the next start will try again');
    return [];
  }
}

/**
 * The first SIGTERM or SIGINT stops, a second one hurries, SIGHUP reloads. A signal during startup takes effect after
 * it, without draining, because there are no clients yet.
 */
function listenToSignals() {
  const stopping = Promise.withResolvers<'signal'>();
  let stoppedAt: number | undefined;
  let isReady = false;
  let isHurried = false;
  let hurry: (() => void) | undefined;
  let reload: (() => void) | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // npm forwards the Ctrl-C that a terminal sends to the whole process group, so two signals at the same time count
      // as one.
      if (!isReady || (stoppedAt !== undefined && performance.now() - stoppedAt > SAME_SIGNAL_MS)) {
        isHurried = true;
        hurry?.();
      }
      stoppedAt ??= performance.now();
      stopping.resolve('signal');
    });
  }
  process.on('SIGHUP', () => reload?.());
  return {
    stopping: stopping.promise,
    onReload: (then: () => void) => {
      isReady = true;
      reload = then;
    },
    onHurry: (then: () => void) => {
      hurry = then;
      if (isHurried) {
        then();
      }
    },
  };
}

const SAME_SIGNAL_MS = 500;

function greet(service: RunningService, role: string): string[] {
  if (role === 'worker') {
    return ['Seathold worker is running.'];
  }
  const { production, sandbox, caPath, config } = service;
  const line = (name: string, { baseUrl, isPrepared }: RunningService['production']) =>
    `  ${name.padEnd(11)} ${baseUrl}${isPrepared ? '' : ' (waiting for its database)'}`;
  return [
    'Seathold is ready.',
    '',
    line('production', production),
    ...(sandbox === undefined ? [] : [line('sandbox', sandbox)]),
    `  dashboard   ${production.baseUrl}${sandbox === undefined ? '' : `, and ${sandbox.baseUrl} for the sandbox`}`,
    `  reference   ${production.baseUrl}/docs`,
    `  data        ${config.dataDir}`,
    ...(caPath === undefined ? [] : [`  trust       ${caPath}`]),
  ];
}
