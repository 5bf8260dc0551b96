import type { Command } from 'commander';
import { createClient, environmentOf } from '../../access/find-access.ts';
import { print } from '../../output.ts';

interface PortalLinkOptions {
  sandbox?: boolean;
  json?: boolean;
}

/** `seathold webhooks portal-link`: a link to only the webhooks screens. */
export function addPortalLinkCommand(webhooks: Command): void {
  webhooks
    .command('portal-link')
    .description('Create a link to the webhooks screens, for a person without a login.')
    .option('--sandbox', 'use the sandbox instead of production')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(createPortalLink);
}

const HELP = `
The link is valid for 15 minutes and works once. A person who opens it can manage the webhooks of the organization for an hour.

Example:
  $ seathold webhooks portal-link --sandbox`;

async function createPortalLink(options: PortalLinkOptions): Promise<void> {
  const client = await createClient(environmentOf(options));
  const link = await client.webhooks.createPortalLink();
  print(options.json === true, link, [link.url]);
}
