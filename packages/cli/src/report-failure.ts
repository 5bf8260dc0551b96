import { AuthenticationError, PermissionError, SeatholdError } from '@seathold/client';
import { CommandFailure } from './command-failure.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { findHint } from './find-hint.ts';

/** Prints an error to standard error, as JSON if requested, and returns the exit code. */
export function reportFailure(error: unknown, asJson: boolean): number {
  const failure = describe(error);
  const { code, message, problems, exitCode } = failure;
  const answer = describeAnswer(error);
  const hint = findHint(error);
  if (asJson) {
    const told = { code, message, problems, ...answer, ...(hint === undefined ? {} : { hint }) };
    process.stderr.write(`${JSON.stringify({ error: told })}\n`);
  } else {
    const lines = [
      `seathold: ${message}`,
      ...problems.map(({ name, problem }) => `  ${name} ${problem}`),
      ...(answer.request_id === undefined ? [] : [`  ${code}, request ${answer.request_id}`]),
      ...(hint === undefined ? [] : [`  ${hint}`]),
    ];
    process.stderr.write(`${lines.join('\n')}\n`);
  }
  return exitCode;
}

/** The details of a refusal besides its message. */
function describeAnswer(error: unknown): { status?: number; request_id?: string; details?: object } {
  if (!(error instanceof SeatholdError) || error.status === undefined) {
    return {};
  }
  const { status, requestId, details } = error;
  return { status, ...(requestId === undefined ? {} : { request_id: requestId }), details };
}

interface Failure {
  code: string;
  message: string;
  problems: ReadonlyArray<{ name: string; problem: string }>;
  exitCode: number;
}

function describe(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const problems = problemsOf(error);
  if (problems.length > 0 && error instanceof Error && 'code' in error) {
    const code = String(error.code);
    return { code, message, problems, exitCode: CODES[code] ?? EXIT_CODES.failure };
  }
  if (problems.length > 0) {
    return {
      code: 'invalid_settings',
      message: `Invalid settings (${problems.length}):`,
      problems,
      exitCode: EXIT_CODES.config,
    };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
  if (code === 'EADDRINUSE') {
    const hint = 'another process is using the port. Set SEATHOLD_PORT and SEATHOLD_SANDBOX_PORT to free ports.';
    return { code, message: `${message}: ${hint}`, problems, exitCode: EXIT_CODES.network };
  }
  if (code === 'connection_failed' && /certificate|CERT|SELF_SIGNED/.test(message)) {
    const hint =
      'pass the certificate authority to trust with --ca-file FILE (`seathold login`: --ca FILE), or set NODE_EXTRA_CA_CERTS.';
    return { code, message: `${message}; ${hint}`, problems, exitCode: EXIT_CODES.network };
  }
  if (code === 'token_expired' && !(error instanceof CommandFailure)) {
    const advice = 'log in again with `seathold login`, or set a new SEATHOLD_TOKEN';
    return { code, message: `The token has expired: ${advice}.`, problems, exitCode: EXIT_CODES.unauthenticated };
  }
  return { code, message, problems, exitCode: CODES[code] ?? exitCodeOf(error) };
}

/** By the class of error, unless its code decides: the API has many codes for 401 and 403. */
function exitCodeOf(error: unknown): number {
  if (error instanceof AuthenticationError) {
    return EXIT_CODES.unauthenticated;
  }
  if (error instanceof PermissionError) {
    return EXIT_CODES.forbidden;
  }
  return error?.constructor.name === 'DatabaseUnavailable' ? EXIT_CODES.network : EXIT_CODES.failure;
}

const CODES: Readonly<Record<string, number>> = {
  token_expired: EXIT_CODES.unauthenticated,
  not_logged_in: EXIT_CODES.unauthenticated,
  not_found: EXIT_CODES.notFound,
  conflict: EXIT_CODES.conflict,
  already_exists: EXIT_CODES.conflict,
  invalid_request: EXIT_CODES.usage,
  validation_failed: EXIT_CODES.usage,
  invalid_argument: EXIT_CODES.usage,
  invalid_ca: EXIT_CODES.usage,
  missing_input: EXIT_CODES.usage,
  canceled: EXIT_CODES.canceled,
  unreadable_file: EXIT_CODES.usage,
  unwritable_file: EXIT_CODES.usage,
  connection_failed: EXIT_CODES.network,
  timed_out: EXIT_CODES.network,
  service_unavailable: EXIT_CODES.network,
};

function problemsOf(error: unknown): ReadonlyArray<{ name: string; problem: string }> {
  if (error instanceof Error && 'problems' in error && Array.isArray(error.problems)) {
    return error.problems;
  }
  return [];
}
