import { type Command, Option } from 'commander';
import { createClient, environmentOf } from '../../access/find-access.ts';
import { requireEventType } from '../../event-types.ts';
import { print } from '../../output.ts';

interface ListOptions {
  event?: string;
  status?: 'active' | 'paused' | 'disabled';
  sandbox?: boolean;
  json?: boolean;
}

/** `seathold webhooks list`: the organization's endpoints. */
export function addListCommand(webhooks: Command): void {
  webhooks
    .command('list')
    .description('List the webhook endpoints of the organization.')
    .option('--event <type>', 'only endpoints that receive this event type')
    .addOption(
      new Option('--status <status>', 'only endpoints with this status').choices([
        'active',
        'paused',
        'disabled',
      ] as const),
    )
    .option('--sandbox', 'use the sandbox instead of production')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ seathold webhooks list --sandbox --event license.seat.acquired')
    .action((options: ListOptions) => list(options));
}

async function list(options: ListOptions): Promise<void> {
  const client = await createClient(environmentOf(options));
  const event = options.event === undefined ? {} : { event: await requireEventType(client, options.event) };
  const status = options.status === undefined ? {} : { status: options.status };
  const endpoints = [];
  for await (const endpoint of client.webhooks.list({ limit: 100, ...event, ...status })) {
    endpoints.push(endpoint);
  }
  const lines = endpoints.map((each) => `${each.id}  ${each.status.padEnd(8)}  ${each.url}  ${each.events.join(',')}`);
  print(options.json === true, endpoints, lines.length === 0 ? ['No webhook endpoints.'] : lines);
}
