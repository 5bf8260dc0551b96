import type { Argument, Command, Option } from 'commander';

/** A position in the command line, and what can follow it. */
export interface Place {
  /** The words after `seathold`, for example `token create`; empty at the beginning. */
  path: readonly string[];
  commands: ReadonlyArray<{ name: string; description: string }>;
  options: readonly PlaceOption[];
  /** The possible values of the first argument, if known. */
  argument: Values;
}

/** An option, and what follows it. */
export interface PlaceOption {
  /** For example `--output` and `-o`. */
  names: readonly string[];
  description: string;
  /** None for a switch; optional if the value may be omitted. */
  takes: 'none' | 'value' | 'optional' | 'list';
  values: Values;
}

/** The possible values: one of these words, a file, or anything. */
export type Values = readonly string[] | 'file' | 'anything';

/**
 * Every position of a program, including aliases, derived from its definitions, so that completion is always in sync.
 */
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

/** Removes parenthesized text and line breaks. */
function firstSentence(text: string): string {
  return (/^.*?[^.](?=\.(?:\s|$)|$)/s.exec(text.replace(/\s*\([^)]*\)/g, ''))?.[0] ?? text).replaceAll(/\s+/g, ' ');
}
