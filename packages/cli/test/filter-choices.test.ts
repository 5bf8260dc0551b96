import { expect, it } from 'vitest';
import openapi from '../../../openapi.json' with { type: 'json' };
import { createProgram } from '../src/create-program.ts';

it.for([
  ['refusals', '/v1/operator/refusals', 'code'],
  ['license list', '/v1/operator/licenses', 'status'],
  ['org list', '/v1/operator/organizations', 'status'],
  ['subscription list', '/v1/operator/subscriptions', 'status'],
  ['invoice list', '/v1/operator/invoices', 'status'],
  ['payments list', '/v1/operator/payments', 'status'],
] as const)('seathold %s accepts every value that %s accepts for %s', ([words, path, filter]) => {
  const parameters: ReadonlyArray<{ name?: string; schema?: { enum?: string[] } }> = openapi.paths[path].get.parameters;
  const values = parameters.find(({ name }) => name === filter)?.schema?.enum ?? [];
  expect(values.length).toBeGreaterThan(1);
  expect(choicesOf(words.split(' '), `--${filter}`)).toEqual(values);
});

function choicesOf(words: readonly string[], option: string): readonly string[] | undefined {
  let command: Pick<ReturnType<typeof createProgram>, 'commands' | 'options'> | undefined = createProgram();
  for (const word of words) {
    command = command?.commands.find((each) => each.name() === word);
  }
  return command?.options.find(({ long }) => long === option)?.argChoices;
}
