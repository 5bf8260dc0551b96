import { AuthenticationError, Seathold } from '@seathold/client';
import type { Questions } from '../terminal/questions.ts';

/** A login of a person, good for what an API token cannot do. */
export interface Login {
  /** Acts as the person, in the organization asked for. */
  client: Seathold;
  /** Acts as the same person in another of their organizations. */
  actIn(organizationId: string): Seathold;
  /** Ends the login; its failure is of no consequence to what was done under it. */
  end(): Promise<void>;
}

export interface LoginOptions {
  baseUrl: string;
  email: string | undefined;
  organizationId: string | undefined;
}

/** Asks for the password, and for the code where two-factor is on; a person at a terminal may try three times. */
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
      // Without the organization: where that is refused, the login has to end all the same.
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

/** Tries again after wrong credentials, if there is a person to ask for other ones. */
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
