import { SeatholdError } from '@seathold/client';

/** A hint for a refusal of the service, whose message does not know the command. */
export function findHint(error: unknown): string | undefined {
  if (!(error instanceof SeatholdError)) {
    return undefined;
  }
  if (error.has('forbidden') && typeof error.details.required_role === 'string') {
    const role = error.details.required_role;
    return `This requires the role ${role}. An owner can create a token with it: seathold token create --name <name> --role ${role}`;
  }
  if (error.code === 'rate_limit_exceeded' && error.retryAfterSeconds !== undefined) {
    return `Try again in ${error.retryAfterSeconds} seconds.`;
  }
  return HINTS[error.code];
}

const HINTS: Readonly<Record<string, string>> = {
  invalid_token:
    'Check the token and the URL. `seathold operator login` stores a new operator token, and `seathold login` one of an organization.',
  two_factor_required: 'Use an operator token: seathold token create, on the server.',
  unexpected_answer: 'Check the URL. It must be the address of the service, without an API path.',
};
