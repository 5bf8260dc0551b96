import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR } from '../smoke/first-hour.ts';
import { FreshService } from '../smoke/fresh-service.ts';

/** Runs the installed packages as their users do, and says what works. Ends with 0 when all of it does. */
export async function provePackages(installed: string, fonts: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'seathold-installed-'));
  const command = ['npx', '--offline', '--prefix', installed, 'seathold'];
  // npx passes no signal on everywhere, so what has to be stopped in order is the command itself.
  const direct = ['node', join(installed, 'node_modules/.bin/seathold')];
  let service = await FreshService.start(folder, { command: direct });
  try {
    await step('npx seathold runs', async () => {
      const [program = '', ...words] = command;
      assert.match(execFileSync(program, [...words, '--version'], { encoding: 'utf8' }), /^\d+\.\d+\.\d+\n$/);
    });
    await step('seathold serve is ready', () => service.ready());
    for (const { promise, prove } of HOUR) {
      await step(promise, () => prove(service));
    }
    await step('the dashboard loads', async () => {
      const { bytes } = await service.call('GET', `${service.productionUrl}/`);
      assert.match(bytes.toString(), /<div id="root">|<script/);
    });
    const invoice = await buyAs(service, '張偉');
    await step('an invoice with a Chinese name is refused, and the log names the missing package', async () => {
      await service.call('GET', `${service.sandboxUrl}${invoice.path}`, { token: invoice.token, status: 503 });
      assert.match(service.printed, /npm install @seathold\/fonts-cjk/);
    });
    await service.stop();
    const words = ['install', '--offline', '--prefix', installed, fonts];
    execFileSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'] });
    service = await FreshService.start(folder, { command: direct, settings: { SEATHOLD_PROCESSES: '2' } });
    await step('with the fonts, and two request processes, it is rendered', async () => {
      await service.ready(/Seathold is ready/);
      const url = `${service.sandboxUrl}${invoice.path}`;
      const { bytes } = await service.call('GET', url, { token: invoice.token });
      assert.match(bytes.toString('latin1'), /NotoSans/);
    });
    await service.stop();
    return 0;
  } catch (error) {
    console.error(`What the service printed:\n${service.printed}\n`);
    console.error(error);
    return 1;
  } finally {
    await service.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function buyAs(service: FreshService, name: string): Promise<{ path: string; token: string }> {
  const { sandboxUrl } = service;
  const account = { email: 'zhang@example.com', password: 'quill-harbor-42-lantern', name };
  const { data: registered } = await service.call('POST', `${sandboxUrl}/v1/auth/register`, { body: account });
  const token: string = registered.access_token;
  const { data: plans } = await service.call('GET', `${sandboxUrl}/v1/plans`);
  const plan = plans.find((each: { name: string }) => each.name === 'Pro');
  const body = { plan_id: plan.id, quantity: 1, payment_method_id: 'pm_card_visa' };
  await service.call('POST', `${sandboxUrl}/v1/subscriptions`, { token, body });
  const { data: invoices } = await service.call('GET', `${sandboxUrl}/v1/invoices`, { token });
  return { path: `/v1/invoices/${invoices[0].id}/pdf`, token };
}

async function step(promise: string, prove: () => Promise<void>): Promise<void> {
  await prove().catch((error: unknown) => {
    throw new Error(`failed: ${promise}`, { cause: error });
  });
  console.log(`ok  ${promise}`);
}
