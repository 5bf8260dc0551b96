import { createCliTest, type Result } from './cli-world.ts';

/** Vitest's `it` with commands that reach the service by its URL, as from another machine. */
export function createRemoteTest() {
  return createCliTest()
    .extend('createToken', { scope: 'file' }, ({ app, world, env }) => async (role: string) => {
      const made = await world.run(['token', 'create', '--name', `a ${role}`, '--role', role, '--json'], { env });
      const { token } = JSON.parse(made.stdout);
      app.api.secrets.note('an operator token', token);
      return String(token);
    })
    .extend('ownerToken', { scope: 'file' }, ({ createToken }) => createToken('owner'))
    .extend(
      'remote',
      { scope: 'file' },
      ({ world, ownerToken }) =>
        (words: readonly string[], variables: Readonly<Record<string, string>> = {}, stdin = ''): Promise<Result> =>
          world.run(words, {
            stdin,
            env: { SEATHOLD_URL: world.baseUrl, SEATHOLD_OPERATOR_TOKEN: ownerToken, ...variables },
          }),
    )
    .extend('ask', { scope: 'file' }, ({ remote }) => async (...words: string[]) => {
      const { code, stdout, stderr } = await remote([...words, '--json']);
      if (code !== 0) {
        throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`);
      }
      return JSON.parse(stdout);
    });
}
