import { AuthenticationError, Seathold } from '@seathold/client';
import type { Questions } from '../terminal/questions.ts';

/** A user's login, for operations that an API token cannot do. */
export interface Login {
  /** Acts as the user, in the requested organization. */
  client: Seathold;
  /** Acts as the same user in another of their organizations. */
  actIn(organizationId: string): Seathold;
  /** Ends the login; a failure does not affect what was done with it. */
  end(): Promise<void>;
}

export interface LoginOptions {
  baseUrl: string;
  email: string | undefined;
  organizationId: string | undefined;
}

/** Asks for the password, and for the code if two-factor is on; a person at a terminal has three attempts. */
export async function logIn(questions: Questions, { baseUrl, email, organizationId }: LoginOptions): Promise<Login> {
  const client = new Seathold({ baseUrl });
  const address = email ?? (await questions.ask('Email: ')).trim();
  const found = await persist(questions, async () =>
    client.auth.login({ email: address, password: await questions.askHidden('Password: ') }),
  );
  const done = 'challenge_token' in found ? await proveSecondFactor(client, questions, found.challenge_token) : found;
  if (done.status !== 'logged_in') {
    throw new Error('The service set a cookie instead of returning tokens.');
  }
  const token = done.access_token;
  return {
    client: new Seathold({ baseUrl, token, organizationId }),
    actIn: (otherId) => new Seathold({ baseUrl, token, organizationId: otherId }),
    end: async () => {
      // Without the organization: even if that is refused, the login has to end.
      await new Seathold({ baseUrl, token }).auth.logout().catch(() => undefined);
    },
  };
}

function proveSecondFactor(client: Seathold, questions: Questions, challenge: string) {
  return persist(questions, async () => {
    const code = await questions.ask('Code from your authenticator app, or a recovery code: ');
    return client.auth.verifyTwoFactor({ challenge_token: challenge, code: code.trim() });
  });
}

/** Retries after wrong credentials, if there is a person to ask again. */
async function persist<Result>(questions: Questions, attempt: () => Promise<Result>): Promise<Result> {
  for (let left = MAX_ATTEMPTS; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      const isWrong = error instanceof AuthenticationError && error.has('invalid_credentials');
      if (!isWrong || !questions.isInteractive || left <= 1) {
        throw error;
      }
      process.stderr.write(`${error.message}\n`);
    }
  }
}

const MAX_ATTEMPTS = 3;
