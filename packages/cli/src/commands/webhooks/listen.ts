import { randomBytes } from 'node:crypto';
import type { Event, Seathold, SeatholdError } from '@seathold/client';
import { type Command, InvalidArgumentError } from 'commander';
import { createClient, environmentOf } from '../../access/find-access.ts';
import { isLoopback } from '../../access/loopback.ts';
import { CommandFailure } from '../../command-failure.ts';
import { readEventFilter } from '../../event-types.ts';
import { followEvents } from '../../listen/follow-events.ts';
import { type Forwarded, forwardEvent, type Target } from '../../listen/forward-event.ts';
import { InFlight } from '../../listen/in-flight.ts';
import { PollPace } from '../../listen/poll-pace.ts';
import { parseTime } from '../../parse-time.ts';
import { readSecrets, type SecretOptions } from '../../read-secrets.ts';

interface ListenOptions extends SecretOptions {
  forwardTo: URL;
  allowRemote?: boolean;
  events: readonly string[];
  since?: string;
  sandbox?: boolean;
  json?: boolean;
}

/** `seathold webhooks listen`: forwards an organization's events to a local receiver. */
export function addListenCommand(webhooks: Command, version: string): void {
  webhooks
    .command('listen')
    .description("Forward the organization's events to a URL on this machine, signed like deliveries.")
    .requiredOption('--forward-to <url>', 'where to send events, http or https', targetUrl)
    .option('--events <types>', 'event types, groups such as license.*, or *, separated by commas', eventPatterns, [
      '*',
    ])
    .option('--since <time>', 'start with events after this time, in ISO 8601 (default: new events only)', parseTime)
    .option('--secret-file <file>', 'sign with the secret in this file instead of a new one')
    .option('--secret-stdin', 'sign with the secret from standard input')
    .option('--allow-remote', 'allow forwarding to another machine')
    .option('--sandbox', 'use the sandbox instead of production')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', HELP)
    .action((options: ListenOptions) => listen(options, version));
}

const HELP = `
The service does not need to reach this machine: events are fetched from the API, and at least a quarter of the rate limit
stays free. You can also set the signing secret in SEATHOLD_WEBHOOK_SECRET. Failed requests are shown but not retried. To send
past events again, use \`--since\`. To stop, press Ctrl-C.

Examples:
  $ seathold webhooks listen --sandbox --forward-to http://localhost:3000/hooks
  $ seathold webhooks listen --forward-to http://localhost:3000/hooks --events 'license.*,org.member.joined'
  $ seathold webhooks listen --forward-to http://localhost:3000/hooks --since 2026-01-31T12:00:00Z --json`;

const MAX_IN_FLIGHT = 10;
/** A grace period for receivers at Ctrl-C; at a breakpoint, one may never respond. */
const GRACE_MS = 2_000;

async function listen(options: ListenOptions, version: string): Promise<void> {
  if (!isLoopback(options.forwardTo) && options.allowRemote !== true) {
    const problem = `${options.forwardTo.hostname} is not this machine`;
    throw new CommandFailure('invalid_argument', `${problem}. To forward events there, add --allow-remote.`);
  }
  const [given, ...others] = await readSecrets(options, process.env);
  if (others.length > 0) {
    throw new CommandFailure('invalid_argument', 'Provide exactly one signing secret.');
  }
  const secret = given ?? `whsec_${randomBytes(32).toString('base64')}`;
  const pace = new PollPace();
  const client = await createClient(environmentOf(options), { fetch: pacedFetch(pace) });
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => stopping.abort());
  }
  const target = { url: options.forwardTo, secret, userAgent: `Seathold/${version}` };
  const report = options.json === true ? reportJson : reportLines;
  try {
    await forwardAll(client, { options, target, pace, report, isSecretNew: given === undefined }, stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) {
      throw error;
    }
  }
}

interface Run {
  options: ListenOptions;
  target: Target;
  pace: PollPace;
  report: Report;
  isSecretNew: boolean;
}

/** Rejects if it cannot continue, or with the signal's reason, after all running work has ended. */
async function forwardAll(client: Seathold, run: Run, signal: AbortSignal): Promise<void> {
  const { options, target, pace, report } = run;
  const wants = await readEventFilter(client, options.events);
  const inFlight = new InFlight(MAX_IN_FLIGHT, signal);
  const cuttingOff = new AbortController();
  const events = followEvents({
    client,
    sinceMs: options.since === undefined ? undefined : Date.parse(options.since),
    pace,
    patience: { signal, onTrouble: (error) => report.trouble(error) },
    onReady: () => report.ready(target, run.isSecretNew),
  });
  try {
    for await (const event of events) {
      if (wants(event.type)) {
        await inFlight.start(async () => report.forwarded(event, await forwardEvent(target, event, cuttingOff.signal)));
      }
    }
  } finally {
    const cut = setTimeout(() => cuttingOff.abort(), GRACE_MS);
    await inFlight.drained();
    clearTimeout(cut);
  }
}

/** The rate-limit headers of responses set the pace. */
function pacedFetch(pace: PollPace): typeof fetch {
  return async (url, request) => {
    const response = await fetch(url, request);
    pace.note(response.headers);
    return response;
  };
}

interface Report {
  ready(target: Target, isSecretNew: boolean): void;
  forwarded(event: Event, outcome: Forwarded): void;
  trouble(error: SeatholdError | undefined): void;
}

const reportLines: Report = {
  ready: ({ url, secret }, isSecretNew) => {
    const signing = isSecretNew ? `signed with ${secret} (valid for this run)` : 'signed with your secret';
    process.stdout.write(`Listening. Forwarding events to ${url.href}, ${signing}. Press Ctrl-C to stop.\n`);
  },
  forwarded: ({ type, id }, { statusCode, error, durationMs }) => {
    const outcome = error === null || error === 'http_status' ? String(statusCode) : `${statusCode ?? '-'} ${error}`;
    process.stdout.write(`${new Date().toISOString()}  ${type}  ${id}  ${outcome}  ${durationMs} ms\n`);
  },
  trouble: (error) => {
    const line = error === undefined ? 'Reconnected.' : `Waiting: ${error.message}`;
    process.stderr.write(`${line}\n`);
  },
};

const reportJson: Report = {
  ready: ({ url, secret }, isSecretNew) => {
    writeJson({ kind: 'ready', forward_to: url.href, secret: isSecretNew ? secret : null });
  },
  forwarded: ({ type, id, created }, { statusCode, error, durationMs }) => {
    const at = new Date().toISOString();
    writeJson({ kind: 'forwarded', at, type, id, created, status_code: statusCode, error, duration_ms: durationMs });
  },
  trouble: (error) => {
    writeJson(
      error === undefined ? { kind: 'resumed' } : { kind: 'waiting', code: error.code, message: error.message },
    );
  },
};

function writeJson(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function targetUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidArgumentError('It must be a URL such as http://localhost:3000/hooks.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidArgumentError('It must not contain credentials.');
  }
  return url;
}

function eventPatterns(text: string): string[] {
  const patterns = text.split(',').map((each) => each.trim());
  if (patterns.includes('')) {
    throw new InvalidArgumentError('It must be event types or groups, separated by commas.');
  }
  return patterns;
}
