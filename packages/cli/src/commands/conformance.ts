import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { normalizeBaseUrl } from '../access/find-access.ts';
import { findLocalAuthority, trustAuthority } from '../access/trust-authority.ts';
import { CommandFailure } from '../command-failure.ts';
import { GROUP_KEYS } from '../conformance/group-keys.ts';
import { countOutcomes, describeGroup, describeTotals } from '../conformance/report.ts';
import type { GroupOutcome } from '../conformance/run-checks.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { print } from '../output.ts';
import { readInput } from '../terminal/read-input.ts';

interface ConformanceOptions {
  url: string;
  token?: string;
  tokenStdin?: boolean;
  caFile?: string;
  group?: readonly string[];
  webhookUrl: string;
  live?: boolean;
  json?: boolean;
}

/** `seathold conformance`: black-box checks of the public API against any deployment. */
export function addConformanceCommand(program: Command): void {
  program
    .command('conformance')
    .description('Check a deployment against the contract of the public API, from outside, and print what holds.')
    .requiredOption('--url <url>', 'the URL of the service', httpsUrl)
    .option('--token <token>', 'an API token of the sandbox (default: SEATHOLD_TOKEN)')
    .option('--token-stdin', 'read the API token from standard input')
    .option('--ca-file <file>', 'a PEM file with the certificate authority to trust')
    .option(
      '--group <name>',
      'run only this group of checks; repeatable',
      (name: string, names: readonly string[] = []) => [...names, name],
    )
    .option(
      '--webhook-url <url>',
      'the URL for the webhook endpoint that the run creates',
      'https://example.com/seathold-conformance',
    )
    .option('--live', 'accept a token of production')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(checkConformance);
}

const HELP = `
The groups: ${GROUP_KEYS.join(', ')}.
Without a token, only what is public is checked. Checks that the token's scopes do not allow are left out, and marked as such.
The run names everything that it creates "seathold conformance" and removes it again. The token is never printed, and never
sent unencrypted.
Exits with 0 if nothing fails, and 1 if something does.

Examples:
  $ seathold conformance --url https://sandbox.example.com --token-stdin < token.txt
  $ SEATHOLD_TOKEN=svc_test_… seathold conformance --url https://localhost:8444 --group licenses --group license-tokens
  $ seathold conformance --url https://sandbox.example.com --json > conformance.json`;

function httpsUrl(text: string): string {
  if (URL.parse(text)?.protocol !== 'https:') {
    throw new InvalidArgumentError('Use a URL that starts with https://.');
  }
  return normalizeBaseUrl(text);
}

async function checkConformance(options: ConformanceOptions): Promise<void> {
  const { url: baseUrl, json: asJson = false } = options;
  requireKnownGroups(options.group);
  const token = await findToken(options);
  const ca = options.caFile === undefined ? await findLocalAuthority(baseUrl, process.env) : resolve(options.caFile);
  if (ca !== null) {
    await trustAuthority(ca);
  }
  // Loaded on demand: no other command needs them.
  const [{ allGroups }, { Probe }, { runChecks }] = await Promise.all([
    import('../conformance/groups.ts'),
    import('../conformance/probe.ts'),
    import('../conformance/run-checks.ts'),
  ]);
  const groups = allGroups(options).filter(({ key }) => options.group?.includes(key) ?? true);
  const probe = new Probe({ baseUrl, token, onWait: (message) => void process.stderr.write(`${message}\n`) });
  const stop = new AbortController();
  // Resources of the current check are removed before the command ends.
  process.once('SIGINT', () => stop.abort());
  const hide = (text: string) => (token === undefined ? text : text.replaceAll(token, '[token]'));
  const onGroup = (group: GroupOutcome) => {
    if (!asJson) {
      process.stdout.write(hide(`${describeGroup(group).join('\n')}\n`));
    }
  };
  try {
    // An unreachable service does not break a promise, nor does one that refuses an expired token.
    await probe.open('GET', '/v1/plans');
    if (probe.hasToken && (await probe.ask('GET', '/v1/event-types?limit=1')).status === 401) {
      throw new CommandFailure('not_logged_in', `The service at ${baseUrl} does not accept the token.`);
    }
    const outcomes = await runChecks(probe, groups, { signal: stop.signal, onGroup });
    const totals = countOutcomes(outcomes);
    const value = { url: baseUrl, ...totals, groups: outcomes };
    print(asJson, JSON.parse(hide(JSON.stringify(value))), [describeTotals(totals)]);
    process.exitCode = stop.signal.aborted
      ? EXIT_CODES.canceled
      : totals.failed === 0
        ? EXIT_CODES.ok
        : EXIT_CODES.failure;
  } finally {
    probe.close();
  }
}

/** Throws for the name of a group that does not exist. */
function requireKnownGroups(names: readonly string[] = []): void {
  const unknown = names.find((name) => GROUP_KEYS.every((key) => key !== name));
  if (unknown !== undefined) {
    const message = `There is no group ${unknown}. The groups are ${GROUP_KEYS.join(', ')}.`;
    throw new CommandFailure('invalid_argument', message);
  }
}

async function findToken({ token, tokenStdin, live }: ConformanceOptions): Promise<string | undefined> {
  const given =
    tokenStdin === true ? (await readInput('-')).toString('utf8').trim() : (token ?? process.env.SEATHOLD_TOKEN);
  if (given === undefined || given === '') {
    return undefined;
  }
  if (given.startsWith('svc_live_') && live !== true) {
    const advice = 'Use one of the sandbox, or confirm with --live that the run may create and remove things';
    throw new CommandFailure('invalid_argument', `The token belongs to production. ${advice}.`);
  }
  return given;
}
