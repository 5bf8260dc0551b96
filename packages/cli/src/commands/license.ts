import { type Command, InvalidArgumentError, Option } from 'commander';
import { columns, print } from '../output.ts';
import { parseFeature } from '../parse-feature.ts';
import { parseTime } from '../parse-time.ts';
import { withInstallation } from '../with-installation.ts';

interface IssueOptions {
  organization: string;
  product: string;
  seats: number;
  expires?: string | null;
  perpetual?: boolean;
  tier: Tier;
  feature?: Features;
  heartbeatInterval?: number;
  sessionTimeout?: number;
  sandbox?: boolean;
  json?: boolean;
}

interface ChangeOptions {
  sandbox?: boolean;
  json?: boolean;
}

/** `seathold license …`: what the operator does with licenses. */
export function addLicenseCommand(program: Command): void {
  const license = program.command('license').description('Issue and change licenses.');
  license
    .command('issue')
    .description('Issue a license to an organization.')
    .requiredOption(
      '--organization <id|email>',
      'the ID of the organization, or the email address of one of its admins',
    )
    .requiredOption('--product <name>', 'the product that the license is for', productName)
    .requiredOption('--seats <number>', 'the number of seats', wholeNumber(1, 100_000))
    .option('--expires <time>', 'when the license expires, in ISO 8601, or never (default: in one year)', parseExpiry)
    .addOption(new Option('--perpetual', 'issue a license that never expires').conflicts('expires'))
    .addOption(
      new Option('--tier <tier>', 'the rate-limit tier while the organization has no subscription')
        .choices(['free', 'pro', 'enterprise'])
        .default('pro'),
    )
    .option(
      '--feature <feature...>',
      'features: a name or name=value, for example ai_assistance, projects=20, or edition=studio',
      addFeature,
    )
    .option('--heartbeat-interval <seconds>', 'overrides SEATHOLD_HEARTBEAT_INTERVAL', wholeNumber(1, 86_400))
    .option('--session-timeout <seconds>', 'overrides SEATHOLD_SESSION_TIMEOUT', wholeNumber(1, 604_800))
    .option('--sandbox', 'use the sandbox instead of production')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ seathold license issue --organization jane@example.com --product studio --seats 5 --feature ai_assistance',
    )
    .action(issue);
  const change = (name: string, description: string) =>
    license
      .command(name)
      .description(description)
      .argument('<license_id>', 'the ID of the license, lic_…')
      .option('--sandbox', 'use the sandbox instead of production')
      .option('--json', 'print JSON');
  for (const kind of ['suspend', 'reinstate', 'revoke'] as const) {
    change(kind, DESCRIPTIONS[kind]).action((id: string, options: ChangeOptions) =>
      changeLicense(id, { kind }, options),
    );
  }
  change('extend', 'Set when a license expires.')
    .argument('<time>', 'a time in ISO 8601, or never', parseExpiry)
    .action((id: string, expiresAt: string | null, options: ChangeOptions) =>
      changeLicense(id, { kind: 'extend', expiresAt }, options),
    );
  change('seats', 'Set the number of seats. Sessions in use are not ended.')
    .argument('<number>', 'the number of seats', wholeNumber(1, 100_000))
    .action((id: string, maxSeats: number, options: ChangeOptions) =>
      changeLicense(id, { kind: 'resize', maxSeats }, options),
    );
}

const DESCRIPTIONS = {
  suspend: 'Suspend a license. Acquires and heartbeats are refused until it is reinstated.',
  reinstate: 'Reinstate a suspended license.',
  revoke: 'Revoke a license permanently.',
} as const;

type Tier = Parameters<typeof import('@seathold/server/operator/manage-licenses').operatorIssueLicense>[1]['tier'];
type Change = Parameters<typeof import('@seathold/server/operator/manage-licenses').operatorChangeLicense>[2];

const licenses = () => import('@seathold/server/operator/manage-licenses');

async function issue(options: IssueOptions): Promise<void> {
  const features = [...FEATURES.map((name) => [name, false] as const), ...(options.feature ?? [])];
  await withInstallation(licenses, options.sandbox === true, async (operator, installation) => {
    const { license: issued, isNewProduct } = await operator.operatorIssueLicense(installation, {
      organization: options.organization,
      product: options.product,
      maxSeats: options.seats,
      features: Object.fromEntries(features),
      expiresAt: expiryOf(options),
      tier: options.tier,
      heartbeatIntervalSeconds: options.heartbeatInterval,
      sessionTimeoutSeconds: options.sessionTimeout,
    });
    if (isNewProduct) {
      // Not on standard output: scripts read the license there.
      const product = JSON.stringify(options.product);
      process.stderr.write(
        `Added the product ${product}, because there was none. If it is a typing error, revoke ${issued.id}.\n`,
      );
    }
    show(issued, options.json === true);
  });
}

function expiryOf({ expires, perpetual }: IssueOptions): string | null {
  const inAYear = () => new Date(Date.now() + 365 * 86_400_000).toISOString();
  return perpetual === true ? null : expires === undefined ? inAYear() : expires;
}

type Features = ReadonlyArray<ReturnType<typeof parseFeature>>;

function addFeature(text: string, before: Features = []): Features {
  return [...before, parseFeature(text)];
}

/** Null for never. */
function parseExpiry(text: string): string | null {
  return text === 'never' ? null : parseTime(text);
}

/** Every license has these keys, true or false (service.md "License"). */
const FEATURES = ['ai_assistance', 'cloud_workstations', 'team_collaboration', 'priority_support'];

async function changeLicense(id: string, change: Change, options: ChangeOptions): Promise<void> {
  await withInstallation(licenses, options.sandbox === true, async (operator, installation) => {
    show(await operator.operatorChangeLicense(installation, id, change), options.json === true);
  });
}

function show(license: object, asJson: boolean): void {
  print(asJson, license, columns(Object.entries(license).map(([name, value]) => [name, String(value ?? 'never')])));
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number between ${min} and ${max}.`);
    }
    return value;
  };
}

function productName(text: string): string {
  if (text.trim() === '' || text.length > 100) {
    throw new InvalidArgumentError('It must be 1 to 100 characters.');
  }
  return text.trim();
}
