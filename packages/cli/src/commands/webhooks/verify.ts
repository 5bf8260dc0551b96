import { SIGNATURE_HEADER, verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@seathold/client';
import { type Command, InvalidArgumentError } from 'commander';
import { CommandFailure } from '../../command-failure.ts';
import { EXIT_CODES } from '../../exit-codes.ts';
import { print } from '../../output.ts';
import { readSecrets, type SecretOptions } from '../../read-secrets.ts';
import { readInput } from '../../terminal/read-input.ts';

interface VerifyOptions extends SecretOptions {
  signature?: string;
  header?: ReadonlyArray<readonly [string, string]>;
  bodyFile: string;
  tolerance: number;
  json?: boolean;
}

/** `seathold webhooks verify`: tells whether a captured delivery is genuine, and if not, why. */
export function addVerifyCommand(webhooks: Command): void {
  webhooks
    .command('verify')
    .description('Verify the signature of a captured delivery.')
    .option('--signature <header>', `the value of ${SIGNATURE_HEADER}`)
    .option('--header <line>', "a header of the request, 'Name: value'; repeatable", addHeader)
    .option('--body-file <file>', 'the raw body, byte for byte, or - for standard input', '-')
    .option('--secret-file <file>', "a file with the endpoint's secret, or one secret per line during a rotation")
    .option('--secret-stdin', 'read the secret from standard input')
    .option('--tolerance <seconds>', 'how old or how far ahead the signature may be', wholeSeconds, 300)
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(verify);
}

const HELP = `
The secret is read from --secret-file, --secret-stdin, or SEATHOLD_WEBHOOK_SECRET.
Exits with 0 if the delivery is genuine, and 1 if it is not.

Examples:
  $ seathold webhooks verify --secret-file secret.txt --signature 't=1767225600,v1=5f0c…' --body-file body.json
  $ seathold webhooks verify --secret-stdin --header 'X-Service-Signature: t=…,v1=…' --body-file body.json < secret.txt
  $ SEATHOLD_WEBHOOK_SECRET=… seathold webhooks verify --signature '…' --tolerance 86400 < body.json`;

async function verify(options: VerifyOptions): Promise<void> {
  if (options.secretStdin === true && options.bodyFile === '-') {
    throw new CommandFailure('invalid_argument', 'Standard input holds the secret, so pass the body with --body-file.');
  }
  const secrets = await readSecrets(options, process.env);
  if (secrets.length === 0) {
    const how = 'with --secret-file, --secret-stdin, or SEATHOLD_WEBHOOK_SECRET';
    throw new CommandFailure('invalid_argument', `Provide the endpoint's secret ${how}.`);
  }
  const headers = collectHeaders(options);
  const body = await readInput(options.bodyFile);
  const asJson = options.json === true;
  try {
    tellGenuine(await verifyWebhook(body, headers, secrets, { toleranceSeconds: options.tolerance }), asJson);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) {
      throw error;
    }
    print(asJson, { valid: false, reason: error.reason, message: error.message }, [
      `Not genuine: ${error.reason}. ${error.message}`,
    ]);
    process.exitCode = EXIT_CODES.failure;
  }
}

function tellGenuine({ id, type, created, organization_id }: WebhookEvent, asJson: boolean): void {
  print(asJson, { valid: true, event: { id, type, created, organization_id } }, [
    `Genuine: ${type} ${id} of ${created}.`,
  ]);
}

/** Only the signature header matters. A repeated header keeps both values, as a server would see them. */
function collectHeaders({ signature, header = [] }: VerifyOptions): Record<string, string[]> {
  const values = header
    .filter(([name]) => name.toLowerCase() === SIGNATURE_HEADER.toLowerCase())
    .map(([, value]) => value);
  return { [SIGNATURE_HEADER]: signature === undefined ? values : [signature, ...values] };
}

function addHeader(
  line: string,
  before: ReadonlyArray<readonly [string, string]> = [],
): ReadonlyArray<readonly [string, string]> {
  const [, name, value] = /^\s*([!#$%&'*+.^_`|~\w-]+):\s*(.*?)\s*$/.exec(line) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError("It must have the form 'Name: value'.");
  }
  return [...before, [name, value]];
}

function wholeSeconds(text: string): number {
  if (!/^\d{1,10}$/.test(text)) {
    throw new InvalidArgumentError('It must be a whole number of seconds.');
  }
  return Number(text);
}
