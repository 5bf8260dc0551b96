import type { Command } from 'commander';
import { addListCommand } from './webhooks/list.ts';
import { addListenCommand } from './webhooks/listen.ts';
import { addPortalLinkCommand } from './webhooks/portal-link.ts';
import { addTriggerCommand } from './webhooks/trigger.ts';
import { addVerifyCommand } from './webhooks/verify.ts';

/** `seathold webhooks …`: tools for developers of receivers. */
export function addWebhooksCommand(program: Command, version: string): void {
  const webhooks = program
    .command('webhooks')
    .description('Develop and test webhook receivers, and share the webhooks screens.');
  addListCommand(webhooks);
  addTriggerCommand(webhooks);
  addListenCommand(webhooks, version);
  addVerifyCommand(webhooks);
  addPortalLinkCommand(webhooks);
}
