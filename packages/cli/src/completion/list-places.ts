import type { Argument, Command, Option } from 'commander';

/** A place in the command line: after these words, that can follow. */
export interface Place {
  /** The words after `seathold`, for example `token create`; empty at the beginning. */
  path: readonly string[];
  commands: ReadonlyArray<{ name: string; description: string }>;
  options: readonly PlaceOption[];
  /** What the first argument can be, where that is known. */
  argument: Values;
}

/** An option, and what follows it. */
export interface PlaceOption {
  /** For example `--output` and `-o`. */
  names: readonly string[];
  description: string;
  /** None for a switch; optional for one that may do without. */
  takes: 'none' | 'value' | 'optional' | 'list';
  values: Values;
}

/** What can stand for a value: one of these words, a file, or anything. */
export type Values = readonly string[] | 'file' | 'anything';

/** Every place of a program, aliases included, from its definitions: so that completion knows what the program knows. */
export function listPlaces(command: Command, path: readonly string[] = []): Place[] {
  const shown = command.createHelp().visibleCommands(command);
  const place: Place = {
    path,
    commands: shown.flatMap((each) =>
      namesOf(each).map((name) => ({ name, description: firstSentence(each.description()) })),
    ),
    options: command.createHelp().visibleOptions(command).map(describeOption),
    argument: valuesOf(command.registeredArguments[0]),
  };
  const below = command.commands.flatMap((each) => namesOf(each).flatMap((name) => listPlaces(each, [...path, name])));
  return [place, ...below];
}

function namesOf(command: Command): string[] {
  return [command.name(), ...command.aliases()];
}

function describeOption(option: Option): PlaceOption {
  return {
    names: [option.long, option.short].filter((name) => typeof name === 'string'),
    description: firstSentence(option.description),
    takes: option.variadic ? 'list' : option.required ? 'value' : option.optional ? 'optional' : 'none',
    values: option.argChoices ?? (/[<[]file[\].>]/.test(option.flags) ? 'file' : 'anything'),
  };
}

function valuesOf(argument: Argument | undefined): Values {
  return argument?.argChoices ?? (argument?.name() === 'file' ? 'file' : 'anything');
}

/** Without what is in parentheses, on one line. */
function firstSentence(text: string): string {
  return (/^.*?[^.](?=\.(?:\s|$)|$)/s.exec(text.replace(/\s*\([^)]*\)/g, ''))?.[0] ?? text).replaceAll(/\s+/g, ' ');
}
