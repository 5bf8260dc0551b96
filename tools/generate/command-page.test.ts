import { expect, it } from 'vitest';
import { createProgram } from '../../packages/cli/src/create-program.ts';
import { commandPage } from './command-page.ts';

type Command = ReturnType<typeof createProgram>;

const PROGRAM = createProgram();
const SECTIONS = commandPage(PROGRAM).split(/^### /m);

it('the page of commands describes every argument of every command', () => {
  const commands = leaves(PROGRAM).filter(({ registeredArguments }) => registeredArguments.length > 0);
  expect(commands.length).toBeGreaterThan(20);
  const missing = commands.flatMap((command) => {
    const section = SECTIONS.find((each) => each.startsWith(`${pathOf(command)}\n`)) ?? '';
    const lines = section.split('\n');
    return command.registeredArguments
      .map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`))
      .filter((name) => !lines.some((line) => line.startsWith(`| \`${name}\` | `)))
      .map((name) => `${pathOf(command)} ${name}`);
  });
  expect(missing).toEqual([]);
});

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap((each) => leaves(each as Command));
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent as Command)} ${command.name()}`;
}
