import type { createProgram } from '../../packages/cli/src/create-program.ts';
import { PLACE_HEADING } from '../../packages/cli/src/operator/options.ts';

type Command = ReturnType<typeof createProgram>;

/** The page that shows every command with its arguments and options, from what the program itself reads. */
export function commandPage(program: Command): string {
  const groups = Map.groupBy(program.commands, (command) => command.helpGroup());
  const sections = [...groups].map(([heading, commands]) =>
    [`## ${heading.replace(/:$/, '')}`, ...commands.flatMap(describe)].join('\n\n'),
  );
  return `${[HEADER, ...sections].join('\n\n')}\n`;
}

const HEADER = `<!-- Made by tools/generate.ts from packages/cli/src/commands; never edited. -->

# Commands

Every command, as \`seathold <command> --help\` shows it. [The command](../operating/command.md) explains how to use it on the
server and from other machines. Commands marked with **on the server or remotely** also take \`--url\`, \`--ca-file\`,
\`--token-stdin\` and \`--sandbox\`.`;

/** A command, or those of a group one by one. */
function describe(command: Command): string[] {
  return command.commands.length > 0 ? command.commands.flatMap(describe) : [describeOne(command)];
}

function describeOne(command: Command): string {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  const rows = [
    ...help
      .visibleArguments(command)
      .map((each) => row(each.required ? `<${each.name()}>` : `[${each.name()}]`, help.argumentDescription(each))),
    ...options
      .filter(({ helpGroupHeading }) => helpGroupHeading !== PLACE_HEADING)
      .map((each) => row(each.flags, help.optionDescription(each))),
  ];
  const isRemote = options.some(({ helpGroupHeading }) => helpGroupHeading === PLACE_HEADING);
  return [
    `### ${help.commandUsage(command).replace(/ [[<].*$/, '')}`,
    `${command.description()}${isRemote ? ' **On the server or remotely.**' : ''}`,
    ...(rows.length === 0 ? [] : [['| | |', '| --- | --- |', ...rows].join('\n')]),
  ].join('\n\n');
}

function row(name: string, description: string): string {
  const text = description.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll(/\s+/g, ' ');
  return `| \`${name.replaceAll('|', '\\|')}\` | ${text} |`;
}
